import { describe, expect, test } from '@jest/globals';
import { NodeApiError, UserError, type INode, type JsonObject } from 'n8n-workflow';
import { explain } from '../../nodes/CrmWorkspace/transport/explain';
import { faultIn } from '../../nodes/CrmWorkspace/transport/fault';
import type { Fault } from '../../nodes/CrmWorkspace/transport/failure';
import { mayHaveBegun, mayPass } from '../../nodes/CrmWorkspace/transport/meaning';

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
		expect([mayHaveBegun(fault), mayPass(fault)]).toEqual([mayHaveArrived, passes]);
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
		expect(fault).toEqual({ raised: { message, advice: undefined, mayPass: true } });
		expect(explained(fault)).toEqual({
			message: `n8n did not send GET /contacts: ${message}`,
			advice:
				'The fault is one of n8n itself, not of the service. Try again later, and check its database.',
		});
		expect([mayHaveBegun(fault), mayPass(fault)]).toEqual([false, true]);
	});

	test('a proxy that breaks off', () => {
		const message = 'Proxy connection ended before receiving CONNECT response';
		const fault = faultIn(wrapped(ofClient(message)));
		expect(explained(fault).message).toBe(`n8n did not send GET /contacts: ${message}`);
		expect([mayHaveBegun(fault), mayPass(fault)]).toEqual([false, false]);
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
		expect([mayHaveBegun(fault), mayPass(fault)]).toEqual([false, false]);
	});
});
