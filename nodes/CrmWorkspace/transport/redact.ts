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
