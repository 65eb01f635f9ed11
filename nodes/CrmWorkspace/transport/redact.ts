import { normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';
import type { FailureDetails } from './failure';

/** What is known of a failed request, besides what was asked and where. */
export type FailureFacts = Omit<FailureDetails, 'request' | 'host' | 'mode'>;

/**
 * All that may be told of a failed request: the key is taken out.
 * @param request what was asked, e.g. `PUT /contacts/…`
 */
export function failureDetails(
	credential: CrmWorkspaceCredential,
	request: string,
	facts: FailureFacts,
): FailureDetails {
	const { apiKey, mode } = credential;
	const { host } = new URL(normalizedBaseUrl(credential));
	return redact({ ...facts, request, host, mode }, apiKey.trim());
}

/** Whatever begins like a key, to where it can be told to end. */
const keys = /sk_(live|test)_[^\s"'<>…]+/gi;

/**
 * A copy of `value` in which no text contains the key, nor anything that looks like a key of the
 * service (interface, Authentication 2): a service may repeat in an error what it was sent.
 */
export function redact<Value>(value: Value, apiKey: string): Value {
	if (typeof value === 'string') {
		return value.replaceAll(apiKey, '[API key]').replace(keys, '[API key]') as Value;
	}
	if (Array.isArray(value)) return value.map((item) => redact(item as unknown, apiKey)) as Value;
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, redact(inner as unknown, apiKey)]),
	) as Value;
}
