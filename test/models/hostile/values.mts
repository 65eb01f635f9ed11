import fc from 'fast-check';

/** A hostile value, told so shortly that it can be printed. */
export type Value =
	| { text: string }
	/** A short text, so many times. */
	| { long: string; times: number }
	/** JSON as text, so that names like `__proto__` stay own names. */
	| { json: string }
	| { deep: number; of: 'lists' | 'objects' }
	/** An object of so many columns. */
	| { wide: number }
	/** What no JSON can be. */
	| { odd: keyof typeof odd };

/** The names that every object has without having them. */
export const inheritedNames = [
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'hasOwnProperty',
	'valueOf',
	'__defineGetter__',
	'isPrototypeOf',
];

const markup = [
	'<img src="https://evil.example/p.png" onerror="alert(1)">',
	'<a href="https://evil.example">here</a>',
	'<script>alert(1)</script>',
	'![p](https://evil.example/p.png)',
	'[here](javascript:alert(1))',
	'</div><h1>Pay here',
	'&lt;b&gt; &#60;img src=x&#62;',
	'https://evil.example/',
];

const lines = [
	'a\r\nBcc: eve@evil.example',
	'a\nX-Injected: 1',
	'a\rX-Injected: 1',
	'a\u0000b',
	'a\u0085b',
	'a\u2028b\u2029c',
	'\u202egnp.exe',
	'a\u200bb\u200e\u2066',
	'\ufeff',
	'\ud800',
	'a\udc00b',
	'a\u0007\u001b[31m',
	'Z\u0300\u0301\u0302\u0303\u0304',
	'\u3000',
	'🧑‍🚀',
];

const addresses = [
	'eve@evil.example',
	'a@example.com,eve@evil.example',
	'a@example.com;eve@evil.example',
	'a@example.com eve@evil.example',
	'a@example.com\neve@evil.example',
	'a@example.com\r\nBcc: eve@evil.example',
	'a@example.com%0d%0aBcc:eve@evil.example',
	'A <a@example.com>',
	'<a@example.com>',
	'"a@b"@example.com',
	'a@b@example.com',
	'a@[127.0.0.1]',
	'a\u0000@example.com',
	'a\u200b@example.com',
	'a@exam\u202eple.com',
	'a@example.com\u200f',
	' a@example.com ',
	'mailto:a@example.com',
	'a@example.com?bcc=eve@evil.example',
	'ä@exämple.com',
	'a@example',
	'@',
	'a@example.com,',
	'a＠example.com',
	'a@example.com\u00a0',
	'a@example。com',
	'(c)a@example.com',
	'a@example.com(c)',
	'a\\@example.com',
];

const ids = [
	'../../transactional/send',
	'..%2f..%2fadmin',
	'3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10/../../admin',
	'3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10?x=1#y',
	'3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10%00',
	'3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10\n',
	'3f1e6c1a\u200b-9d0b-4a5e-8c57-2b7f0f6f9a10',
	'{3F1E6C1A-9D0B-4A5E-8C57-2B7F0F6F9A10}',
	'urn:uuid:3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10',
	'3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a1０',
	'.',
	'..',
	'%2e%2e',
	'\\',
];

const tokens = [
	'{{',
	'}}',
	'{{name',
	'{{name}}',
	'{{name|there}}',
	'{{name|',
	'{{|}}',
	'{{}}',
	'{{ __proto__ }}',
	'{{constructor}}',
	'{{toString|x}}',
	'{{{{name}}}}',
	'{{a\nb}}',
	'{{<b>}}',
	'={{ 1 }}',
	'${7*7}',
	'%s%n',
];

const plain = [
	'',
	' ',
	'0',
	'-1',
	'1e999',
	'NaN',
	'null',
	'undefined',
	'true',
	'a,b',
	'[]',
	'{}',
	'[',
];

const jsons = [
	...inheritedNames.map((name) => `{"${name}":"Nobody"}`),
	'{"__proto__":{"polluted":1}}',
	'{"constructor":{"prototype":{"polluted":1}}}',
	'{"a":{"__proto__":{"polluted":1}}}',
	'{"<img src=x>":"<b>"}',
	'{"":1}',
	'{"length":1e9}',
	'{"toString":null,"valueOf":null}',
	'{"message":{"message":{}}}',
	'{"then":1}',
	'[[],{},null,1,"a"]',
	'[null]',
	'[]',
	'{}',
	'null',
	'true',
	'0',
	'-0',
	'1e308',
	'1e999',
	'9007199254740993',
	'1.5',
	'-1',
];

/** What makes an expression that looks for something go over it again and again. */
const units = [
	'{{',
	'{{a|',
	'{',
	'}',
	'|',
	'<',
	'<a ',
	'<title',
	'<title>',
	'<script',
	'<!--',
	'</',
	'&',
	'&lt;',
	' ',
	'\t',
	'\n',
	'\r\n',
	' ,',
	'\\',
	'"',
	'[',
	'(',
	'a@',
	'a@a.',
	'a.',
	'.',
	'-',
	'_',
	'A_',
	'A1_',
	'1',
	'%',
	'%5F',
	'=',
	',',
	'x',
	'é',
	'😀',
	'\u200b',
	'\u0300',
	'\ud800',
	'\0',
];

const times = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 60, max: 6_000 }) },
	{ weight: 2, arbitrary: fc.constantFrom(240_000, 262_144) },
	{ weight: 1, arbitrary: fc.constantFrom(1_000_000) },
);

/** By name, what no JSON can be. */
export const odd = {
	undefined: () => undefined,
	NaN: () => NaN,
	Infinity: () => Infinity,
	'a BigInt': () => 10n ** 30n,
	'a function': () => () => 'called',
	'a date that is none': () => new Date(NaN),
	'a date': () => new Date(0),
	'a getter that throws': () => ({
		get a() {
			throw new TypeError('from a getter');
		},
	}),
	'an object whose toString throws': () => ({
		toString() {
			throw new TypeError('from toString');
		},
	}),
	'an object whose toJSON throws': () => ({
		toJSON() {
			throw new TypeError('from toJSON');
		},
	}),
	'an object without a prototype': () => Object.assign(Object.create(null), { a: 1 }),
	'a thenable': () => ({ then: () => undefined }),
	'a map': () => new Map([['a', 1]]),
	'a regular expression': () => /(a+)+$/,
	'a buffer': () => Buffer.from('bytes'),
	'a list with holes': () => Array(3),
	'an error': () => new RangeError('in the input'),
};

/** Any text, most of them short and known to lead others astray. */
export const text: fc.Arbitrary<Value> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc
			.constantFrom(
				...inheritedNames,
				...markup,
				...lines,
				...addresses,
				...ids,
				...tokens,
				...plain,
			)
			.map((text) => ({ text })),
	},
	{ weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => ({ text })) },
	{
		weight: 2,
		arbitrary: fc
			.record({ long: fc.constantFrom(...units), times })
			// In characters, not in repetitions.
			.map(({ long, times }) => ({ long, times: Math.ceil(times / long.length) })),
	},
);

/** @param depths how deep lists and objects may be nested */
const structure = (...depths: number[]): fc.Arbitrary<Value> =>
	fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom(...jsons).map((json) => ({ json })) },
		{ weight: 3, arbitrary: fc.json({ maxDepth: 3 }).map((json) => ({ json })) },
		{
			weight: 1,
			arbitrary: fc.record({
				deep: fc.constantFrom(...depths),
				of: fc.constantFrom('lists' as const, 'objects' as const),
			}),
		},
		{ weight: 1, arbitrary: fc.constantFrom(300, 5_000).map((wide) => ({ wide })) },
	);

/** Any value that an answer or a JSON parameter can hold. */
export const jsonValue: fc.Arbitrary<Value> = fc.oneof(
	{ weight: 3, arbitrary: text },
	{ weight: 2, arbitrary: structure(100, 3_000, 20_000) },
);

/** Any value that an expression can give. */
export const anyValue: fc.Arbitrary<Value> = fc.oneof(
	{ weight: 6, arbitrary: text },
	// n8n itself fails at an expression that gives what is nested deeper, in words of its own.
	{ weight: 3, arbitrary: structure(100) },
	{
		weight: 2,
		arbitrary: fc
			.constantFrom(...(Object.keys(odd) as Array<keyof typeof odd>))
			.map((odd) => ({ odd })),
	},
);

/** The value itself, made again. */
export function made(value: Value): unknown {
	if ('text' in value) return value.text;
	if ('long' in value) return value.long.repeat(value.times);
	if ('json' in value) return JSON.parse(value.json);
	if ('odd' in value) return odd[value.odd]();
	if ('wide' in value) return Object.fromEntries(columns(value.wide));
	let nested: unknown = 'bottom';
	for (let depth = 0; depth < value.deep; depth++) {
		nested = value.of === 'lists' ? [nested] : { a: nested };
	}
	return nested;
}

/** The value as JSON; nothing here is recursive, however deep the value is. */
export function jsonOf(value: Value): string {
	if ('deep' in value) {
		const [open, close] = value.of === 'lists' ? ['[', ']'] : ['{"a":', '}'];
		return `${open.repeat(value.deep)}"bottom"${close.repeat(value.deep)}`;
	}
	if ('json' in value) return value.json;
	if ('odd' in value) return JSON.stringify(value.odd);
	return JSON.stringify(made(value));
}

/** A text for a place where only a text fits. */
export function textOf(value: Value): string {
	return 'text' in value || 'long' in value ? (made(value) as string) : jsonOf(value);
}

function columns(count: number): Array<[string, string]> {
	return Array.from({ length: count }, (_, index) => [`column <b>${index}`, 'x']);
}
