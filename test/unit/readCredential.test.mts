import { describe, expect, test } from '@jest/globals';
import {
	NodeOperationError,
	OperationalError,
	UserError,
	type IExecuteFunctions,
	type INode,
} from 'n8n-workflow';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { readCredential } from '../../nodes/CrmWorkspace/transport/credential';

const node = { id: '1', name: 'CRM', type: 'crm', typeVersion: 1, parameters: {} } as INode;

const stored: CrmWorkspaceCredential = {
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	apiKey: 'sk_test_4f1c9d7e2a',
	authHeader: 'authorization',
	requestsPerMinute: 60,
};

/** A node whose credential n8n loads so, and which of its credentials were loaded. */
function contextOf(load: () => unknown) {
	const loaded: string[] = [];
	const context = {
		getNode: () => node,
		getCredentials: async (type: string) => {
			loaded.push(type);
			return load();
		},
	};
	return { context: context as unknown as IExecuteFunctions, loaded };
}

const throwing = (error: unknown) => () => {
	throw error;
};

/** What reading a credential throws, and after how many attempts to load it. */
async function thrownBy(load: () => unknown) {
	const { context, loaded } = contextOf(load);
	const error = await readCredential(context).catch((thrown: unknown) => thrown);
	return { error: error as NodeOperationError, attempts: loaded.length };
}

test('a credential is read once, as n8n has it', async () => {
	const { context, loaded } = contextOf(() => stored);
	expect(await readCredential(context)).toBe(stored);
	expect(loaded).toEqual(['crmWorkspaceApi']);
});

describe('that n8n could not load it', () => {
	const description =
		'The fault is one of n8n itself, not of the service, and nothing was sent. Try again later, and check its database.';

	// n8n replaces a message in which it finds a network code.
	test.each<[string, unknown, string]>([
		[
			'its database is away',
			Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
			'connect ECONNREFUSED 127.0.0.1:5432',
		],
		['its database answers too late', new Error(' ETIMEDOUT\n'), 'ETIMEDOUT'],
		[
			'its database is locked',
			new Error('SQLITE_BUSY: database is locked'),
			'SQLITE_BUSY: database is locked',
		],
		['a fault without words', new Error(' '), 'for a reason unknown'],
		['a fault that is no error', 'away', 'for a reason unknown'],
		['nothing at all', undefined, 'for a reason unknown'],
		['a fault of many words', new Error('x'.repeat(5000)), `${'x'.repeat(500)}…`],
	])('is told at once, as a fault of n8n: %s', async (_what, thrown, reason) => {
		const { error, attempts } = await thrownBy(throwing(thrown));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: `n8n could not load the credential: ${reason}`,
			messages: [],
			description,
		});
		expect(attempts).toBe(1);
	});

	test.each([
		['there is none', new NodeOperationError(node, 'Node does not have any credentials set')],
		['it is not found', new UserError('Credential with ID "1" does not exist')],
		['it cannot be decrypted', new OperationalError('Credentials could not be decrypted')],
	])('is told in the words of n8n where it has some: %s', async (_what, said) => {
		expect((await thrownBy(throwing(said))).error).toBe(said);
	});
});

test.each<[string, Partial<CrmWorkspaceCredential>, string]>([
	['has no address', { baseUrl: '' }, 'Base URL is missing in the credential'],
	['has the key of other data', { mode: 'live' }, 'The credential says Mode: Live'],
	['leaves no request a minute', { requestsPerMinute: 0 }, 'Requests per Minute in the credential'],
])('a credential is refused where it %s, and its key is not told', async (_what, more, message) => {
	const { error, attempts } = await thrownBy(() => ({ ...stored, ...more }));
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.message).toContain(message);
	expect(JSON.stringify(error)).not.toContain('4f1c9d7e2a');
	expect(attempts).toBe(1);
});
