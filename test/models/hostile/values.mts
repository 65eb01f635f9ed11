import fc from 'fast-check';

/** The API key of all histories: every sign in it that has a meaning in an address or a pattern. */
export const key = 'sk_test_4fKd+9z/Qm=7(Wx%z1)$&*Tb|[Lc?Vn^8.Hy';

const percent = (text: string) => text.replace(/./g, (sign) => `%${hexOf(sign)}`);
const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0');

/** The key in the spellings that the node promises to redact. */
const spellings = [
	key,
	key.toUpperCase(),
	`Authorization: Bearer ${key}`,
	`https://user:${encodeURIComponent(key)}@evil.example/`,
	percent(key),
	percent(key).toUpperCase(),
	key.replace(/[_A-K]/g, (sign) => `\\u00${hexOf(sign)}`),
	JSON.stringify(JSON.stringify({ 'x-api-key': `${key}/` })),
];

/** What leads programs astray that take a text for markup, a token, a number or code. */
const nasty = [
	'<img src="https://evil.example/p.png" onerror="alert(1)">',
	'</div><h1>Pay here</h1>',
	'a\u2028b\u0085c\u0000',
	'\ud800',
	'{{name|there}}',
	'={{ 1 }}',
	'{"__proto__":{"polluted":1}}',
	'constructor',
	'[object Object]',
	'',
];

const sign = fc.constantFrom(...'{}|<>&;:,.@"\'[]()=-_%*A1a \t\n\\é😀\u200b\u0300');
const bit = fc.string({ unit: sign, maxLength: 4 });

const unit = fc.string({ unit: sign, minLength: 1, maxLength: 4 });

/** A few signs again and again, between others: what makes a pattern go over a text many times. */
const repeated = fc
	.oneof(
		fc.tuple(bit, unit, fc.constantFrom(60, 500, 60_000), bit),
		fc.tuple(bit, unit, fc.constantFrom(262_144, 1_000_000), fc.constant('')),
	)
	.map(([head, one, length, tail]) => head + one.repeat(length / one.length) + tail);

/** Any text without the key. */
const text = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...nasty) },
	{ weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
	{ weight: 2, arbitrary: repeated },
);

/** The key in a text, also where one of the lengths ends to which the node shortens texts. */
const withKey = fc
	.tuple(
		fc.oneof(
			fc.constant(0),
			fc.nat(1_100),
			fc
				.tuple(fc.constantFrom(60, 100, 500, 2_000, 10_000), fc.nat(40))
				.map(([cut, before]) => cut - before),
		),
		fc.constantFrom(...spellings),
		fc.constantFrom('', '…', ' and more', '"}'),
	)
	.map(([length, spelling, rest]) => 'x'.repeat(Math.max(0, length)) + spelling + rest);

/** Any text of a service. */
export const foreignText = fc.oneof(withKey, text);

/** Any JSON, as text: a value can't hold all of it, such as a number out of range. */
export const foreignJson = fc.oneof(
	{ weight: 6, arbitrary: foreignText.map((one) => JSON.stringify(one)) },
	{ weight: 3, arbitrary: fc.json({ maxDepth: 3 }) },
	{ weight: 3, arbitrary: fc.constantFrom('null', '-0', '1e999', '[]', '{}', '[null]', '{"":1}') },
);
