import { normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';
import type { FailureDetails } from './failure';
import { redactedMark, withoutKey, type WithoutKey } from './keyInText';

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

/** Whatever begins like a key of the service, to where it seems to end. Interface: AUTH-4, AUTH-5. */
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
	return redactorOfAnyKey()({ ...facts, request, host, mode: credential.mode });
}

/** Takes out whatever looks like a key of the service, where the key itself is not known. */
export function redactorOfAnyKey(): Redact {
	return redacting((text) => text.replace(anyKey, redactedMark));
}

/**
 * Takes a key out of whatever it is given: out of texts, and out of the names and values of objects
 * and lists. Takes time in proportion to the value.
 */
export function redactor(apiKey: unknown): Redact {
	return redacting(withoutKey(apiKey));
}

/**
 * Takes a key out of the text of an answer. JSON stays JSON: beside an escaped character a part of
 * the key may seem to begin within it.
 */
export function bodyWithoutKey(redact: Redact, text: string): string {
	const left = redact(text);
	if (left === text) return text;
	try {
		return JSON.stringify(redact(JSON.parse(text)));
	} catch {
		return left;
	}
}

/** What has to be taken out of a value. */
interface Finding {
	/** The texts and names that hold the key, each with what is left of it. */
	cleaned: Map<string, string>;
	isTooDeep: boolean;
	seen: Set<object>;
}

function redacting(withoutKeys: WithoutKey): Redact {
	// Records have the same names over and over.
	const goodNames = new Set<string>();

	function lookAt(text: string, { cleaned }: Finding): void {
		const clean = withoutKeys(text);
		if (clean !== text) cleaned.set(text, clean);
	}

	function lookAtName(name: string, finding: Finding): void {
		if (goodNames.has(name)) return;
		lookAt(name, finding);
		if (!finding.cleaned.has(name) && goodNames.size < mostNames) goodNames.add(name);
	}

	// All output comes through here, so it makes nothing new as long as there is nothing to take out.
	function look(value: unknown, depth: number, finding: Finding): void {
		if (typeof value === 'string') return lookAt(value, finding);
		if (!isPlain(value) || finding.seen.has(value)) return;
		if (depth > deepest) {
			finding.isTooDeep = true;
			return;
		}
		finding.seen.add(value);
		if (Array.isArray(value)) return value.forEach((entry) => look(entry, depth + 1, finding));
		for (const name of Object.keys(value)) {
			lookAtName(name, finding);
			look(held(value, name), depth + 1, finding);
		}
	}

	return <Value>(value: Value) => {
		const finding = {
			cleaned: new Map<string, string>(),
			isTooDeep: false,
			seen: new Set<object>(),
		};
		look(value, 0, finding);
		if (finding.cleaned.size === 0 && !finding.isTooDeep) return value;
		return copied(value, 0, finding.cleaned, new Map()) as Value;
	};
}

/** A copy of a value in which other texts stand in place of some. */
function copied(
	value: unknown,
	depth: number,
	cleaned: Map<string, string>,
	copies: Map<object, unknown>,
): unknown {
	if (typeof value === 'string') return cleaned.get(value) ?? value;
	if (!isPlain(value)) return value;
	if (copies.has(value)) return copies.get(value);
	if (depth > deepest) return tooDeep;
	const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
	copies.set(value, copy);
	for (const name of Object.keys(value)) {
		// As a property of its own, whatever its name is.
		Object.defineProperty(copy, cleaned.get(name) ?? name, {
			value: copied(held(value, name), depth + 1, cleaned, copies),
			configurable: true,
			enumerable: true,
			writable: true,
		});
	}
	return copy;
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
