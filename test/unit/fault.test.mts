import { describe, expect, test } from '@jest/globals';
import { NodeApiError, UserError, type INode, type JsonObject } from 'n8n-workflow';
import { explain } from '../../nodes/CrmWorkspace/transport/errors/explain';
import {
	isTransient,
	mayHaveBegun,
	type Fault,
	type FaultKind,
} from '../../nodes/CrmWorkspace/transport/errors/failure';
import { AnswerTooLarge, faultIn, timedOut } from '../../nodes/CrmWorkspace/transport/http/fault';

/** Errors as n8n's request helper throws them, recorded from n8n-core 1.122.0, 2.20.6, 2.30.4 and 2.40.3. */

const node = { id: '1', name: 'CRM', type: 'crm', typeVersion: 1, parameters: {} } as INode;

/** As n8n wraps an error before 1.104 and from 2.32 on. */
function wrapped(error: Error): Error {
	return new NodeApiError(node, error as unknown as JsonObject);
}

/** As n8n 1.104 to 2.31 do, whose class field empties the cause. */
function wrappedWithoutCause(error: Error): Error {
	return Object.defineProperty(wrapped(error), 'cause', { value: undefined });
}

/** An error of n8n's HTTP client, by what its connection threw. */
function ofClient(message: string, code?: string): Error {
	const cause = Object.assign(new Error(message), { code });
	return Object.assign(new Error(message, { cause }), { code, isAxiosError: true });
}

/** What n8n's database driver throws. */
const ofDatabase = (message: string, more: object = {}) => Object.assign(new Error(message), more);

const blocked = new UserError(
	'The request was blocked because it resolves to a restricted IP address',
	{
		description: 'The target 10.0.0.1 is not allowed.',
	},
);

const explained = (fault: Fault) =>
	explain({
		...fault,
		request: 'GET /contacts',
		host: 'crm.example.com',
		mode: 'test',
		attempts: 1,
		sinceFirstFailure: 0,
	});

describe.each([
	['with its cause', wrapped],
	['with its code alone', wrappedWithoutCause],
])("a fault of the client's connection, wrapped %s, is what it is", (_how, wrap) => {
	test.each<[message: string, code: string, kind: FaultKind, said: RegExp, networkCode?: string]>([
		['connect ECONNREFUSED 10.1.2.3:443', 'ECONNREFUSED', 'unreachable', /could not be reached/],
		['getaddrinfo ENOTFOUND crm.example.com', 'ENOTFOUND', 'unresolved', /was not found/],
		['getaddrinfo EAI_AGAIN crm.example.com', 'EAI_AGAIN', 'unresolved', /could not be looked up/],
		['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted', /No secure connection/],
		[
			'write EPROTO 40ED29BA847F0000:error:0A00010B:SSL routines',
			'EPROTO',
			'insecure',
			/No secure connection/,
		],
		[
			'40ED29BA847F0000:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required',
			'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
			'severed',
			/The secure connection to .* failed/,
		],
		['socket hang up', 'ECONNRESET', 'broken', /The connection to .* broke/],
		[
			'timeout of 700ms exceeded',
			'ECONNABORTED',
			'timedOut',
			/did not answer in time/,
			'ETIMEDOUT',
		],
		['Parse Error: Expected HTTP/', 'HPE_INVALID_CONSTANT', 'noHttp', /is not HTTP/],
	])('%s', (message, code, kind, said, networkCode = code) => {
		const fault = faultIn(wrap(ofClient(message, code)));
		expect(fault).toEqual({ kind, networkCode });
		expect(explained(fault).message).toMatch(said);
	});
});

describe('a connection that was not made', () => {
	const codes = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNREFUSED', 'EADDRNOTAVAIL'];

	/** As the client throws it, which keeps what its connection says of the system. */
	const ofSystem = (code: string, syscall?: string) =>
		Object.assign(ofClient(`${syscall} ${code} 10.1.2.3:443`, code), { syscall });

	test.each(codes)('is one by what the system says of it: %s', (code) => {
		for (const error of [ofSystem(code, 'connect'), wrapped(ofSystem(code, 'connect'))]) {
			expect(faultIn(error)).toEqual({ kind: 'unreachable', networkCode: code });
		}
	});

	test.each<[string, FaultKind]>([
		['EHOSTUNREACH', 'broken'],
		['ENETUNREACH', 'broken'],
		['ETIMEDOUT', 'timedOut'],
	])('is not known from %s alone: a request may have gone out before', (code, kind) => {
		for (const syscall of [undefined, 'read', 'write']) {
			const fault = faultIn(wrapped(ofSystem(code, syscall)));
			expect(fault).toEqual({ kind, networkCode: code });
			expect(mayHaveBegun(fault)).toBe(true);
		}
		expect(faultIn(wrappedWithoutCause(ofSystem(code, 'connect')))).toMatchObject({ kind });
	});
});

test('a name that n8n looks up before its client does is the name of the service', () => {
	const error = ofDatabase('getaddrinfo ENOTFOUND crm.example.com', {
		code: 'ENOTFOUND',
		syscall: 'getaddrinfo',
	});
	expect(faultIn(wrapped(error))).toEqual({ kind: 'unresolved', networkCode: 'ENOTFOUND' });
});

describe('what n8n raises before anything is sent is never the fault of the service', () => {
	test.each<[string, Error]>([
		[
			'connect ECONNREFUSED 127.0.0.1:5432',
			ofDatabase('connect ECONNREFUSED 127.0.0.1:5432', {
				code: 'ECONNREFUSED',
				syscall: 'connect',
				address: '127.0.0.1',
				port: 5432,
			}),
		],
		['ECONNREFUSED', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
		[
			'terminating connection due to administrator command',
			ofDatabase('terminating connection due to administrator command', {
				code: '57P01',
				driverError: {},
			}),
		],
		['Connection terminated unexpectedly', ofDatabase('Connection terminated unexpectedly')],
		[
			'SQLITE_BUSY: database is locked',
			ofDatabase('SQLITE_BUSY: database is locked', { code: 'SQLITE_BUSY', errno: 5 }),
		],
	])('its database: %s', (message, error) => {
		const fault = faultIn(wrapped(error));
		expect(fault).toEqual({ kind: 'ofN8n', words: message, advice: undefined });
		expect(explained(fault)).toEqual({
			message: `n8n did not send GET /contacts: ${message}`,
			advice: 'Check the credential, and what is around n8n.',
		});
		expect([mayHaveBegun(fault), isTransient(fault)]).toEqual([false, false]);
	});

	test('a proxy that breaks off', () => {
		const message = 'Proxy connection ended before receiving CONNECT response';
		const fault = faultIn(wrapped(ofClient(message)));
		expect(explained(fault).message).toBe(`n8n did not send GET /contacts: ${message}`);
		expect([mayHaveBegun(fault), isTransient(fault)]).toEqual([false, false]);
	});

	test.each<[string, Error]>([
		['before it asks', wrapped(blocked)],
		[
			'when it connects',
			wrapped(
				Object.assign(new Error(blocked.message, { cause: blocked }), { isAxiosError: true }),
			),
		],
		['where its cause is lost', wrappedWithoutCause(blocked)],
	])('a blocked address, found %s', (_when, error) => {
		const fault = faultIn(error);
		expect(explained(fault).message).toBe(`n8n did not send GET /contacts: ${blocked.message}`);
		expect([mayHaveBegun(fault), isTransient(fault)]).toEqual([false, false]);
	});
});

describe('what kept an answer from being read', () => {
	const coded = (code: unknown) => Object.assign(new Error('x'), { code });

	test.each<[unknown, Fault]>([
		[new AnswerTooLarge(), { kind: 'tooLarge' }],
		[new Error('what nobody knows'), { kind: 'silent' }],
		[undefined, { kind: 'silent' }],
		[null, { kind: 'silent' }],
		['a text', { kind: 'silent' }],
		[{ code: 'ECONNRESET' }, { kind: 'broken', networkCode: 'ECONNRESET' }],
	])('%p', (error, fault) => {
		expect(faultIn(error)).toEqual(fault);
	});

	test.each<[FaultKind, ...string[]]>([
		['unresolved', 'ENOTFOUND', 'EAI_AGAIN'],
		['unreachable', 'ECONNREFUSED'],
		['timedOut', 'ETIMEDOUT'],
		[
			'untrusted',
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'CERT_SIGNATURE_FAILURE',
		],
		['insecure', 'EPROTO'],
		[
			'severed',
			// The same reason as that of many an EPROTO, and after the request went out.
			'ERR_SSL_WRONG_VERSION_NUMBER',
			'ERR_SSL_PACKET_LENGTH_TOO_LONG',
			'ERR_SSL_BAD_RECORD_TYPE',
			'ERR_TLS_HANDSHAKE_TIMEOUT',
			// The service wants a certificate of the client, and says so after the request went out.
			'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
		],
		['noHttp', 'HPE_INVALID_CONSTANT', 'HPE_HEADER_OVERFLOW'],
		[
			'broken',
			'ECONNRESET',
			'EPIPE',
			'EHOSTUNREACH',
			'EHOSTDOWN',
			'ENETUNREACH',
			'ENETDOWN',
			'ERR_STREAM_PREMATURE_CLOSE',
			'Z_DATA_ERROR',
			'Z_BUF_ERROR',
			'ERR__ERROR_FORMAT_PADDING_1',
		],
		[
			'silent',
			'EPROTONOSUPPORT',
			'ERR_BAD',
			'EWHATEVER',
			'NOT_EPIPE',
			'EPIPE_NOT',
			'ENOTFOUND_NOT',
			'XECONNREFUSED',
		],
	])('its code says that it is %s: %s, …', (kind, ...codes) => {
		expect(codes.map((code) => faultIn(coded(code)))).toEqual(
			codes.map((networkCode) => ({ kind, networkCode })),
		);
	});

	test('an answer that took too long is one fault, whoever noticed', () => {
		for (const code of ['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT']) {
			expect(faultIn(coded(code))).toEqual(timedOut);
		}
	});

	test.each(['no CODE', 'CODE no', 'E', 'Error', 'E'.repeat(62), 500, '', undefined])(
		'what is no code is not passed on: %j',
		(code) => {
			expect(faultIn(coded(code))).toEqual({ kind: 'silent' });
		},
	);
});

describe('what n8n raised is told in the words of its last cause that has any', () => {
	/** As n8n wraps what its own parts throw. */
	const raised = (cause: unknown) => faultIn({ name: 'NodeApiError', cause });

	test.each<[unknown, string]>([
		[new Error('outer', { cause: new Error(' inner ') }), 'inner'],
		[new Error('outer', { cause: new Error(' ') }), 'outer'],
		[Object.assign(new Error(''), { code: 'EIO' }), 'EIO'],
		[new Error(''), 'for a reason unknown'],
		[undefined, 'for a reason unknown'],
		[{ message: 5 }, 'for a reason unknown'],
	])('%p: %s', (error, words) => {
		expect(raised(error)).toMatchObject({ kind: 'ofN8n', words });
	});

	test('with what it advises, if that says anything', () => {
		const advised = (description: string) => Object.assign(new Error('x'), { description });
		expect(raised(advised(' Do so. '))).toMatchObject({ advice: 'Do so.' });
		expect(raised(advised(' '))).toHaveProperty('advice', undefined);
	});

	test('also where causes go round, or have no end', () => {
		const round = new Error('round');
		round.cause = round;
		expect(raised(round)).toMatchObject({ words: 'round' });
		const nested = (depth: number): Error =>
			depth === 0 ? new Error('deepest') : new Error('outer', { cause: nested(depth - 1) });
		expect(raised(nested(4))).toMatchObject({ words: 'deepest' });
		expect(raised(nested(5))).toMatchObject({ words: 'outer' });
	});
});
