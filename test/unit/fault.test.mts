import { describe, expect, test } from '@jest/globals';
import { NodeApiError, UserError, type INode, type JsonObject } from 'n8n-workflow';
import { explain } from '../../nodes/CrmWorkspace/transport/explain';
import { BodyTooLarge } from '../../nodes/CrmWorkspace/transport/body';
import { faultIn, raisedFault } from '../../nodes/CrmWorkspace/transport/fault';
import { NoRoom, TooMuchHeld } from '../../nodes/CrmWorkspace/transport/room';
import type { Fault } from '../../nodes/CrmWorkspace/transport/failure';
import { mayHaveBegun, isTransient } from '../../nodes/CrmWorkspace/transport/meaning';

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
		waited: 0,
	});

describe.each([
	['with its cause', wrapped],
	['with its code alone', wrappedWithoutCause],
])("a fault of the client's connection, wrapped %s, is what it is", (_how, wrap) => {
	test.each<[string, string, string, RegExp, boolean, boolean]>([
		// message, code, what it is read as, what is said; may it have arrived, may it pass
		[
			'connect ECONNREFUSED 10.1.2.3:443',
			'ECONNREFUSED',
			'ECONNREFUSED',
			/could not be reached/,
			false,
			true,
		],
		[
			'getaddrinfo ENOTFOUND crm.example.com',
			'ENOTFOUND',
			'ENOTFOUND',
			/was not found/,
			false,
			true,
		],
		[
			'getaddrinfo EAI_AGAIN crm.example.com',
			'EAI_AGAIN',
			'EAI_AGAIN',
			/could not be looked up/,
			false,
			true,
		],
		[
			'self-signed certificate',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			/No secure connection/,
			false,
			false,
		],
		[
			'write EPROTO 40ED29BA847F0000:error:0A00010B:SSL routines',
			'EPROTO',
			'EPROTO',
			/No secure connection/,
			true,
			false,
		],
		['socket hang up', 'ECONNRESET', 'ECONNRESET', /The connection to .* broke/, true, true],
		[
			'timeout of 700ms exceeded',
			'ECONNABORTED',
			'ETIMEDOUT',
			/did not answer in time/,
			true,
			true,
		],
		[
			'Parse Error: Expected HTTP/',
			'HPE_INVALID_CONSTANT',
			'HPE_INVALID_CONSTANT',
			/is not HTTP/,
			true,
			false,
		],
	])('%s', (message, code, networkCode, said, mayHaveArrived, passes) => {
		const fault = faultIn(wrap(ofClient(message, code)));
		expect(fault).toEqual({ networkCode });
		expect(explained(fault).message).toMatch(said);
		expect([mayHaveBegun(fault), isTransient(fault)]).toEqual([mayHaveArrived, passes]);
	});
});

test('a name that n8n looks up before its client does is the name of the service', () => {
	const error = ofDatabase('getaddrinfo ENOTFOUND crm.example.com', {
		code: 'ENOTFOUND',
		syscall: 'getaddrinfo',
	});
	expect(faultIn(wrapped(error))).toEqual({ networkCode: 'ENOTFOUND' });
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
		expect(fault).toEqual({ raised: { message, advice: undefined, isTransient: true } });
		expect(explained(fault)).toEqual({
			message: `n8n did not send GET /contacts: ${message}`,
			advice:
				'The fault is one of n8n itself, not of the service. Try again later, and check its database.',
		});
		expect([mayHaveBegun(fault), isTransient(fault)]).toEqual([false, true]);
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

test.each([
	[new BodyTooLarge(), 'too large'],
	[new TooMuchHeld(), 'too much held'],
	[new NoRoom(), 'no room'],
	[new Error('what nobody knows'), 'unknown'],
	[undefined, 'unknown'],
	[null, 'unknown'],
	['a text', 'unknown'],
	[Object.assign(new Error('x'), { code: 'ERR_BAD' }), 'ERR_BAD'],
	[Object.assign(new Error('x'), { code: 'no CODE' }), 'unknown'],
	[Object.assign(new Error('x'), { code: 'CODE no' }), 'unknown'],
	[Object.assign(new Error('x'), { code: 'E' }), 'unknown'],
	[Object.assign(new Error('x'), { code: 'Error' }), 'unknown'],
	[Object.assign(new Error('x'), { code: 500 }), 'unknown'],
])('what kept an answer from being read: %p', (error, networkCode) => {
	expect(faultIn(error)).toEqual({ networkCode });
});

describe('what n8n raised is told in the words of its last cause that has any', () => {
	test.each<[unknown, string]>([
		[new Error('outer', { cause: new Error(' inner ') }), 'inner'],
		[new Error('outer', { cause: new Error(' ') }), 'outer'],
		[Object.assign(new Error(''), { code: 'EIO' }), 'EIO'],
		[new Error(''), 'for a reason unknown'],
		[undefined, 'for a reason unknown'],
		[{ message: 5 }, 'for a reason unknown'],
	])('%p: %s', (error, message) => {
		expect(raisedFault(error).message).toBe(message);
	});

	test('with what it advises, if that says anything', () => {
		const advised = (description: string) => Object.assign(new Error('x'), { description });
		expect(raisedFault(advised(' Do so. ')).advice).toBe('Do so.');
		expect(raisedFault(advised(' ')).advice).toBeUndefined();
	});

	test('also where causes go round, or have no end', () => {
		const round = new Error('round');
		round.cause = round;
		expect(raisedFault(round).message).toBe('round');
		const nested = (depth: number): Error =>
			depth === 0 ? new Error('deepest') : new Error('outer', { cause: nested(depth - 1) });
		expect(raisedFault(nested(5)).message).toBe('deepest');
		expect(raisedFault(nested(6)).message).toBe('outer');
	});
});
