import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { OperationalError, type IExecuteFunctions, type ILoadOptionsFunctions } from 'n8n-workflow';
import { nodeCredential } from '../../nodes/CrmWorkspace/transport/nodeCredential';
import { fakeClock } from '../support/fakeClock.mts';

const stored = { apiKey: 'sk_test_1' };
const away = () =>
	Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A node whose credential n8n cannot load for so long, in ms. */
function contextOf(faultFor: number, fault: () => Error, more: object = {}) {
	const began = performance.now();
	const readings: number[] = [];
	const context = {
		getNode: () => ({ name: 'CRM' }),
		getCredentials: async () => {
			readings.push(performance.now() - began);
			if (performance.now() - began < faultFor) throw fault();
			return stored;
		},
		...more,
	} as unknown as IExecuteFunctions & ILoadOptionsFunctions;
	return { context, readings };
}

const inRun = (stop?: AbortSignal) => ({ getExecutionCancelSignal: () => stop });

/** What comes of it, and when, in ms. */
async function read(context: IExecuteFunctions | ILoadOptionsFunctions) {
	const began = performance.now();
	const ended = nodeCredential(context, fakeClock).then(
		(reading) => ({ ...reading, after: performance.now() - began, error: undefined }),
		(error: any) => ({ error, after: performance.now() - began }),
	);
	await jest.advanceTimersByTimeAsync(120_000);
	return await ended;
}

describe('while its database is away', () => {
	test.each([500, 10_000, 30_000, 50_000])('a run waits for %d ms', async (awayFor) => {
		const { context, readings } = contextOf(awayFor, away, inRun());
		const { error, after, ...reading } = await read(context);
		expect(error).toBeUndefined();
		expect(reading).toMatchObject({ credential: stored });
		expect('faults' in reading && reading.faults).toHaveLength(readings.length - 1);
		expect(after).toBeLessThan(awayFor + 5000);
	});

	test('a run ends after a minute in which n8n gives no answer at all, or as soon as it is stopped', async () => {
		const silent = { getCredentials: async () => await new Promise(() => {}) };
		const { context } = contextOf(0, away, { ...inRun(), ...silent });
		const { error, after } = await read(context);
		expect(after).toBe(60_000);
		expect(error.message).toBe('n8n could not load the credential: no answer for a minute');

		const stop = new AbortController();
		setTimeout(() => stop.abort(), 3000);
		const stopped = await read(contextOf(0, away, { ...inRun(stop.signal), ...silent }).context);
		expect(stopped.after).toBe(3000);
		expect(stopped.error.message).toContain('the execution was stopped');
		expect(jest.getTimerCount()).toBe(0);
	});

	test('a run ends after a minute with an error that names n8n, not the service', async () => {
		const { context } = contextOf(Infinity, away, inRun());
		const { error, after } = await read(context);
		expect(after).toBeGreaterThan(50_000);
		expect(after).toBeLessThanOrEqual(60_000);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: 'n8n could not load the credential: connect ECONNREFUSED 127.0.0.1:5432',
		});
		expect(error.description).toMatch(
			/^Tried \d+ times over [^.]+\. The fault is one of n8n itself, not of the service\./,
		);
	});

	test('a run that is stopped ends at once', async () => {
		const stop = new AbortController();
		const { context } = contextOf(Infinity, away, inRun(stop.signal));
		setTimeout(() => stop.abort(), 7000);
		expect((await read(context)).after).toBeLessThanOrEqual(7000);
	});

	test('nobody is kept waiting in the editor', async () => {
		const { context, readings } = contextOf(Infinity, away);
		const { error } = await read(context);
		expect(error.message).toContain('n8n could not load the credential');
		expect(readings).toHaveLength(1);
	});
});

test('what n8n itself says of a credential is its last word', async () => {
	const said = new OperationalError('Credentials could not be decrypted');
	const { context, readings } = contextOf(Infinity, () => said, inRun());
	expect((await read(context)).error).toBe(said);
	expect(readings).toHaveLength(1);
});

test('it is read once in a run', async () => {
	const { context, readings } = contextOf(0, away, inRun());
	const [one, other] = [await read(context), await read(context)];
	expect([one, other]).toMatchObject([{ credential: stored }, { credential: stored }]);
	expect(readings).toHaveLength(1);
});
