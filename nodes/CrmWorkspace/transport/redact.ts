import { normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';
import type { FailureDetails } from './failure';
import { gone, keyInText, type KeyInText } from './keyInText';

/** What is known of a failed request, besides what was asked and where. */
export type FailureFacts = Omit<FailureDetails, 'request' | 'host' | 'mode'>;

/** Gives a value without the key: the same value where it does not hold the key, else a copy. */
export type Redact = <Value>(value: Value) => Value;

/** What stands in place of what lies deeper than anybody looks. */
const tooDeep = '[nested too deeply]';

/** How deep into a value the key is looked for. */
const deepest = 500;

/** How many names are remembered not to hold the key. */
const mostNames = 1000;

/** Whatever begins like a key of the service (interface, Authentication 2), to where it seems to end. */
const anyKey = /sk_(?:live|test)_[a-z\d][^\s"'<>…]*/gi;

/**
 * All that may be told of a failed request: whatever looks like a key is taken out, because what
 * was answered may repeat a part of it.
 * @param request what was asked, e.g. `PUT /contacts/…`
 * @param facts from an exchange that holds the key itself no more
 */
export function failureDetails(
	credential: CrmWorkspaceCredential,
	request: string,
	facts: FailureFacts,
): FailureDetails {
	const { host } = new URL(normalizedBaseUrl(credential));
	const key = {
		mayBeIn: (text: string) => text.search(anyKey) >= 0,
		without: (text: string) => text.replace(anyKey, gone),
	};
	return redacting(key)({ ...facts, request, host, mode: credential.mode });
}

/**
 * Takes a key out of whatever it is given: out of texts, and out of the names and values of objects
 * and lists. Takes time in proportion to the value.
 */
export function redactor(apiKey: unknown): Redact {
	return redacting(keyInText(apiKey));
}

function redacting(key: KeyInText): Redact {
	// Records have the same names over and over.
	const goodNames = new Set<string>();

	function isInName(name: string): boolean {
		if (goodNames.has(name)) return false;
		if (key.mayBeIn(name)) return true;
		if (goodNames.size < mostNames) goodNames.add(name);
		return false;
	}

	// All output comes through here, so it makes nothing new as long as there is nothing to take out.
	function holdsKey(value: unknown, depth: number, seen: Set<object>): boolean {
		if (typeof value === 'string') return key.mayBeIn(value);
		if (!isPlain(value) || seen.has(value)) return false;
		if (depth > deepest) return true;
		seen.add(value);
		if (Array.isArray(value)) return value.some((entry) => holdsKey(entry, depth + 1, seen));
		for (const name of Object.keys(value)) {
			if (isInName(name) || holdsKey(held(value, name), depth + 1, seen)) return true;
		}
		return false;
	}

	function without(value: unknown, depth: number, copies: Map<object, unknown>): unknown {
		if (typeof value === 'string') return key.without(value);
		if (!isPlain(value)) return value;
		if (copies.has(value)) return copies.get(value);
		if (depth > deepest) return tooDeep;
		const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
		copies.set(value, copy);
		for (const name of Object.keys(value)) {
			// As a property of its own, whatever its name is.
			Object.defineProperty(copy, key.without(name), {
				value: without(held(value, name), depth + 1, copies),
				configurable: true,
				enumerable: true,
				writable: true,
			});
		}
		return copy;
	}

	return <Value>(value: Value) =>
		(holdsKey(value, 0, new Set()) ? without(value, 0, new Map()) : value) as Value;
}

/** What an object holds under a name; undefined where it cannot be read. */
function held(object: Record<string, unknown>, name: string): unknown {
	try {
		return object[name];
	} catch {
		return undefined;
	}
}

/** Whether a value is a list or an object of data, of whichever realm, and nothing with a life of its own. */
function isPlain(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
