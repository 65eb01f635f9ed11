import fc from 'fast-check';
import { keyForms, type KeyForm } from './keys.mts';
import { inheritedNames, jsonOf, jsonValue, text, textOf, type Value } from './values.mts';

/** A piece of an answer: any hostile value, or the key behind so many characters. */
export type Piece = Value | { key: KeyForm; after: number; isEscaped: boolean };

export type Body =
	/** The answer that is right, with values replaced or added at places of it. */
	| { shape: 'right'; changes: Array<{ at: string; name?: Piece; value: Piece }> }
	/** An error as services write it. */
	| { shape: 'error'; style: (typeof errorStyles)[number]; code: Piece; message: Piece }
	| { shape: 'page'; title: Piece; rest: Piece }
	| { shape: 'anything'; text: Piece }
	| { shape: 'bytes'; hex: string }
	| { shape: 'large error'; length: number };

/** One answer of the service. */
export interface Answer {
	status: number;
	reason: Piece;
	headers: Array<{ name: string; value: Piece }>;
	contentType: string;
	body: Body;
	delivery: (typeof deliveries)[number];
}

export const errorStyles = ['nested', 'flat', 'text', 'list', 'problem', 'map', 'detail'] as const;

export const deliveries = [
	'whole',
	'in chunks',
	'compressed',
	'in two parts',
	'cut off',
	'half compressed',
	'compressed otherwise',
	'stalled',
	'silent',
	'reset',
	'no HTTP',
	'many headers',
] as const;

const cuts = [
	100, 200, 250, 255, 300, 490, 500, 512, 980, 1000, 1024, 1990, 2000, 3990, 4000, 4096,
];

const key: fc.Arbitrary<Piece> = fc.record({
	key: fc.constantFrom(...(Object.keys(keyForms) as KeyForm[])),
	after: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(0) },
		{ weight: 2, arbitrary: fc.nat(1_100) },
		{
			weight: 2,
			arbitrary: fc
				.tuple(fc.constantFrom(...cuts), fc.nat(40))
				.map(([cut, before]) => Math.max(0, cut - before)),
		},
		{ weight: 1, arbitrary: fc.nat(40).map((before) => 262_144 - before) },
	),
	isEscaped: fc.boolean(),
});

const textPiece: fc.Arbitrary<Piece> = fc.oneof(
	{ weight: 3, arbitrary: key },
	{ weight: 3, arbitrary: text as fc.Arbitrary<Piece> },
);

const piece: fc.Arbitrary<Piece> = fc.oneof(
	{ weight: 2, arbitrary: key },
	{ weight: 3, arbitrary: jsonValue as fc.Arbitrary<Piece> },
);

const places = [
	'',
	'data',
	'data.id',
	'data.status',
	'data.error',
	'data.errorReason',
	'data.bounceType',
	'data.to',
	'data.from',
	'data.subject',
	'data.idempotencyKey',
	'data.messageId',
	'data.createdAt',
	'data.sentAt',
	'data.email',
	'data.firstName',
	'data.tags',
	'data.notes',
	'data.updatedAt',
	'data.0',
	'data.0.id',
	'data.0.email',
	'data.0.firstName',
	'data.0.lastName',
	'data.0.tags',
	'data.0.source',
	'data.0.updatedAt',
	'data.1.id',
	'data.1.email',
	'data.articles',
	'data.articles.0',
	'data.totalCount',
	'meta',
	'meta.pagination',
	'meta.pagination.page',
	'meta.pagination.limit',
	'meta.pagination.totalCount',
	'meta.pagination.totalPages',
	'error',
	'errors',
	'code',
	'message',
	'status',
	'success',
];

const change = fc.record(
	{ at: fc.constantFrom(...places), name: textPiece, value: piece },
	{ requiredKeys: ['at', 'value'] },
);

/** Ways in which a message is reported as not delivered. */
const rejected = piece.chain((value) =>
	fc.constantFrom('data.errorReason', 'data.error', 'data.bounceType').map((at) => [
		{ at: 'data.status', value: { text: 'rejected' } },
		{ at, value },
	]),
);

const right: fc.Arbitrary<Body> = fc
	.oneof(
		{ weight: 3, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
		{ weight: 1, arbitrary: rejected },
	)
	.map((changes) => ({ shape: 'right' as const, changes }));

const errorCode: fc.Arbitrary<Piece> = fc.oneof(
	fc
		.constantFrom(
			'IDEMPOTENT_REPLAY',
			'IDEMPOTENCY_KEY_REUSED',
			'VALIDATION_ERROR',
			'MISSING_VARIABLE',
			...inheritedNames,
		)
		.map((text) => ({ text })),
	piece,
);

const body: fc.Arbitrary<Body> = fc.oneof(
	{ weight: 6, arbitrary: right },
	{
		weight: 5,
		arbitrary: fc.record({
			shape: fc.constant('error' as const),
			style: fc.constantFrom(...errorStyles),
			code: errorCode,
			message: piece,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			shape: fc.constant('page' as const),
			title: textPiece,
			rest: textPiece,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({ shape: fc.constant('anything' as const), text: textPiece }),
	},
	{
		weight: 1,
		arbitrary: fc
			.uint8Array({ maxLength: 40 })
			.map((bytes) => ({ shape: 'bytes' as const, hex: Buffer.from(bytes).toString('hex') })),
	},
);

const largeError: fc.Arbitrary<Body> = fc
	.constantFrom(1_000_000, 5_000_000)
	.map((length) => ({ shape: 'large error', length }));

const header = fc.record({
	name: fc.constantFrom(
		'Retry-After',
		'Date',
		'Location',
		'X-RateLimit-Reset',
		'RateLimit-Reset',
		'X-RateLimit-Remaining',
		'X-RateLimit-Limit',
		'RateLimit',
		'Content-Encoding',
		'Set-Cookie',
		'Link',
		'X-Echo',
		'__proto__',
		'Content-Disposition',
		'WWW-Authenticate',
	),
	value: fc.oneof(
		textPiece,
		fc
			.constantFrom(
				'0',
				'-1',
				'1e9',
				'1e999',
				'NaN',
				'99999999999',
				'Infinity',
				'Wed, 21 Oct 2099 07:28:00 GMT',
				'Sat, 99 Foo 0000 00:00:00 GMT',
				'-271821-04-20',
				'{stranger}/api/v1/contacts',
				'//{strangerHost}/api/v1/contacts',
				'http://user:pass@{strangerHost}/',
				'javascript:alert(1)',
				'data:text/html,x',
				'file:///etc/passwd',
				'gzip',
				'br',
				'zstd',
				'identity, gzip, gzip, gzip',
			)
			.map((text) => ({ text })),
	),
});

const status = fc.oneof(
	{ weight: 5, arbitrary: fc.constantFrom(200, 201) },
	{
		weight: 5,
		arbitrary: fc.constantFrom(400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504, 408),
	},
	{ weight: 2, arbitrary: fc.constantFrom(301, 302, 303, 307, 308) },
	{ weight: 1, arbitrary: fc.constantFrom(202, 204, 206, 300, 304, 402, 418, 451, 599, 600, 999) },
);

const delivery = fc.oneof(
	{ weight: 60, arbitrary: fc.constant('whole' as const) },
	...deliveries.map((delivery) => ({
		weight: 3,
		arbitrary: fc.constant(delivery),
	})),
);

/** Any answer. */
export const answer: fc.Arbitrary<Answer> = fc.record({
	status,
	reason: fc.oneof({ weight: 3, arbitrary: fc.constant<Piece>({ text: 'OK' }) }, textPiece),
	headers: fc.oneof(
		{ weight: 2, arbitrary: fc.array(header, { maxLength: 0 }) },
		{ weight: 1, arbitrary: fc.array(header, { minLength: 1, maxLength: 3 }) },
	),
	contentType: fc.oneof(
		{ weight: 5, arbitrary: fc.constant('application/json') },
		fc.constantFrom(
			'text/html',
			'text/html; charset=utf-16',
			'application/octet-stream',
			'application/problem+json',
			'',
		),
	),
	body: fc.oneof({ weight: 60, arbitrary: body }, { weight: 1, arbitrary: largeError }),
	delivery,
});

/** What is filled into an answer. */
export interface Filling {
	key: string;
	/** Of the server that nothing is to be asked of. */
	stranger: string;
}

/** A piece as text. */
export function pieceText(piece: Piece, { key, stranger }: Filling): string {
	if ('key' in piece) {
		return 'message '.repeat(piece.after / 8 + 1).slice(0, piece.after) + keyForms[piece.key](key);
	}
	return textOf(piece)
		.replaceAll('{strangerHost}', stranger.replace(/^http:\/\//, ''))
		.replaceAll('{stranger}', stranger);
}

function pieceJson(piece: Piece, filling: Filling): string {
	if (!('key' in piece)) return jsonOf(piece);
	const json = JSON.stringify(pieceText(piece, filling));
	if (!piece.isEscaped) return json;
	return json.replace(/_/g, '\\u005f').replace(/A/g, '\\u0041');
}

/** The bytes of a body. @param right what the answer would be if no one meant harm */
export function bodyOf(body: Body, right: unknown, filling: Filling): Buffer {
	switch (body.shape) {
		case 'right':
			return Buffer.from(changed(right, body.changes, filling));
		case 'error':
			return Buffer.from(
				errorText(body.style, pieceJson(body.code, filling), pieceJson(body.message, filling)),
			);
		case 'page': {
			const [title, rest] = [body.title, body.rest].map((piece) => pieceText(piece, filling));
			return Buffer.from(`<!DOCTYPE html><html><head><title>${title}</title></head>${rest}`);
		}
		case 'anything':
			return Buffer.from(pieceText(body.text, filling));
		case 'bytes':
			return Buffer.from(body.hex, 'hex');
		case 'large error':
			return Buffer.from(`{"error":{"code":"${'C'.repeat(body.length)}","message":"m"}}`);
	}
}

function errorText(style: (typeof errorStyles)[number], code: string, message: string): string {
	switch (style) {
		case 'nested':
			return `{"error":{"code":${code},"message":${message}}}`;
		case 'flat':
			return `{"code":${code},"message":${message},"statusCode":400}`;
		case 'text':
			return `{"error":${message}}`;
		case 'list':
			return `{"errors":[{"code":${code},"message":${message}},{"field":${code},"message":${message}}]}`;
		case 'problem':
			return `{"type":${code},"title":${message},"detail":${message},"instance":${code}}`;
		case 'map':
			return `{"errors":{"email":[${message}],"x":${code}}}`;
		case 'detail':
			return `{"detail":[{"loc":["body",${code}],"msg":${message},"type":${code}}]}`;
	}
}

/** JSON with places changed: what is put there goes in as text, however deep it is. */
function changed(
	right: unknown,
	changes: Array<{ at: string; name?: Piece; value: Piece }>,
	filling: Filling,
): string {
	const root = { whole: structuredClone(right) };
	const texts: string[] = [];
	const mark = (text: string) => `@@${texts.push(text) - 1}@@`;
	for (const { at, name, value } of changes) {
		const path = ['whole', ...at.split('.').filter(Boolean)];
		const last = path.pop()!;
		let target: any = root;
		for (const part of path) target = isObject(target[part]) ? target[part] : (target[part] = {});
		const put = mark(pieceJson(value, filling));
		if (!name) target[last] = put;
		else {
			if (!isObject(target[last])) target[last] = {};
			target[last][mark(JSON.stringify(pieceText(name, filling)))] = put;
		}
	}
	// A place can be within another that was put there.
	let json = JSON.stringify(root.whole);
	json = json.replace(/"@@(\d+)@@"/g, (_all, index) => texts[index]);
	return json;
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
