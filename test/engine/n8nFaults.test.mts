import { everythingOf, logged } from '../support/keys/everythingOf.mts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ExpressionError, OperationalError, UserError } from 'n8n-workflow';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

/** Faults that n8n itself raises when it loads the credential. */

const secret = 'ThisKeyMustNotBeSeenAnywhere';
const keyless = {
	...oneRequestEach['Send Transactional Email'],
	idempotency: 'none',
	options: { concurrency: 1 },
};

/** As PostgreSQL's driver throws it; n8n hands it on as it is. */
const away = () =>
	Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
		code: 'ECONNREFUSED',
		syscall: 'connect',
		address: '127.0.0.1',
		port: 5432,
	});

let server: RawServer;

beforeAll(async () => {
	server = await startRawServer((socket) => socket.end(httpAnswer('{"data":{"id":"1"}}')));
});
afterAll(async () => await server.stop());
beforeEach(() => void server.requests.splice(0));

async function run(more: Partial<NodeRun> = {}) {
	const result = await runNode({
		parameters: keyless,
		...more,
		credential: {
			baseUrl: server.baseUrl,
			apiKey: `sk_test_${secret}`,
			requestsPerMinute: 100_000,
			...more.credential,
		},
	});
	expect((everythingOf(result) + logged()).split(secret).length - 1).toBe(0);
	return result;
}

/** Throws what `fault` gives for a reading of the credential, which count from 1. */
function at(fault: (reading: number) => Error | undefined): () => void {
	let reading = 0;
	return () => {
		const error = fault(++reading);
		if (error) throw error;
	};
}

describe('what n8n says of a credential ends the run at once, in its words', () => {
	test.each<[string, Error]>([
		['an expression in it', new ExpressionError('Referenced node does not exist')],
		['it is gone', new UserError('Credential with ID "1" does not exist')],
		['it cannot be decrypted', new OperationalError('Credentials could not be decrypted')],
	])('%s', async (_what, fault) => {
		const { error } = await run({ onCredentialRead: at(() => fault) });
		expect(error?.message).toBe(fault.message);
		expect(server.requests).toHaveLength(0);
	});
});

describe("while n8n's database is away", () => {
	test('a run that begins fails at once', async () => {
		let readings = 0;
		const onCredentialRead = at((reading) => {
			readings = reading;
			return away();
		});
		const { error } = await run({ onCredentialRead });
		expect(readings).toBe(1);
		expect(error?.message).toMatch(/\w/);
		expect(server.requests).toHaveLength(0);
	});

	test('each item of a run that goes on when one fails has an error', async () => {
		const { error, json } = await run({
			onCredentialRead: at(away),
			items: [{ row: 1 }, { row: 2 }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(json).toEqual([1, 2].map((row) => ({ row, error: expect.stringMatching(/\w/) })));
		expect(server.requests).toHaveLength(0);
	});

	test('a run that has begun goes on: it has the credential', async () => {
		const onCredentialRead = at((reading) => (reading > 1 ? away() : undefined));
		const { error, json, hints } = await run({ onCredentialRead, items: [{}, {}, {}] });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(3);
		expect(hints).toEqual([]);
		expect(server.requests).toHaveLength(3);
	});
});
