import { describe, expect, test } from '@jest/globals';
import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { keyRemover } from '../../nodes/CrmWorkspace/transport/credential/withoutKey';
import {
	RequestFailure,
	type FailureDetails,
} from '../../nodes/CrmWorkspace/transport/errors/failure';
import {
	inOneText,
	plainError,
	plainHints,
	toNodeApiError,
} from '../../nodes/CrmWorkspace/transport/errors/nodeError';
import { answered, lost, unsent } from '../support/simulated/attempts.mts';

const key = 'sk_test_4f1c9d7e2a';
const gone = '[API key]';
const withoutKey = keyRemover(key);
const node = { id: '1', name: 'CRM', type: 'crm', typeVersion: 1, parameters: {} } as INode;

const failure = (more: Partial<FailureDetails>) =>
	new RequestFailure({
		...answered(422),
		request: 'PUT /contacts/1',
		host: 'crm.example.com',
		mode: 'test',
		attempts: 1,
		sinceFirstFailure: 0,
		...more,
	});

describe('the error of a failed request', () => {
	const errorOf = (more: Partial<FailureDetails>, itemIndex?: number) =>
		toNodeApiError(node, failure(more), itemIndex);

	test('says what is in doubt, what to do about this very request, what the service says, and what was tried', () => {
		const error = errorOf(
			{
				...answered(503, { code: 'BUSY', message: 'Try later', askedWait: 3_600_000 }),
				attempts: 3,
				sinceFirstFailure: 125_000,
				isAskedWaitTooLong: true,
				doubt: 'It may have been done.',
				explanation: { message: 'The service is busy', advice: 'Come back.' },
			},
			4,
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The service is busy',
			description:
				'It may have been done. Come back. The service says: BUSY: Try later. Tried 3 times over 2 min 5 s. It asks to wait 1 h.',
			httpCode: '503',
			context: { itemIndex: 4, data: { statusCode: 503, code: 'BUSY', message: 'Try later' } },
		});
	});

	test('says last what may help where nothing more is known than the answer', () => {
		const { description } = errorOf({ ...lost, attempts: 2, doubt: 'It may have been done.' });
		expect(description).toBe(
			'It may have been done. Tried 2 times over 0 s. Try again later (ECONNRESET).',
		);
	});

	test.each<[string, Partial<FailureDetails>, string]>([
		['its code and its words', { code: 'A_B', message: 'No' }, 'The service says: A_B: No.'],
		['its words, as they end', { message: 'Why?' }, 'The service says: Why?'],
		['its code alone', { code: 'A_B' }, 'The service says: A_B.'],
		['a code as its words, once', { code: 'A_B', message: 'A_B' }, 'The service says: A_B.'],
		['that it gave no reason', {}, 'The service gave no reason (HTTP 422).'],
	])('tells of an answer %s', (_what, more, description) => {
		expect(errorOf(more).description).toBe(description);
	});

	test.each<[string, Partial<FailureDetails>, RegExp]>([
		['no answer', { ...lost, statusCode: undefined }, /^Try again later \(ECONNRESET\)\.$/],
		[
			'an answer of which something can be read',
			{ kind: 'unexpected', statusCode: 200, words: 'JSON', message: 'Quota exceeded' },
			/^The service says: Quota exceeded\. If it was another site that answered, correct Base URL/,
		],
	])('claims no reason of the service for %s', (_what, more, description) => {
		expect(errorOf(more).description).toMatch(description);
	});

	// n8n replaces a message in which it finds one of these, even within a name.
	test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET', 'EPIPE'])(
		'is not replaced by n8n although its message holds %s',
		(code) => {
			const message = `The contact ${code}.example.com is unknown`;
			expect(errorOf({ explanation: { message } })).toMatchObject({ message, messages: [] });
			const { message: left } = plainError(
				errorOf({ explanation: { message } }),
				withoutKey,
			) as Error;
			expect(left).toBe(message);
		},
	);

	test('has no status where there was no answer', () => {
		expect(errorOf({ ...unsent, statusCode: undefined }).httpCode).toBeNull();
	});
});

describe('an error that leaves', () => {
	/** All that n8n could store of a value, in one text. */
	const everything = (value: unknown): string => {
		const seen = new Set<unknown>();
		const texts: string[] = [];
		const look = (one: unknown) => {
			if (typeof one !== 'object' || one === null) return void texts.push(String(one));
			if (seen.has(one)) return;
			seen.add(one);
			for (const name of Object.getOwnPropertyNames(one)) {
				texts.push(name);
				look(Reflect.get(one, name));
			}
		};
		look(value);
		return texts.join('\n');
	};

	test('is itself, and the key is in nothing of it', () => {
		const cause = Object.assign(new Error(`cause ${key}`), { config: { headers: { a: key } } });
		const error = new NodeApiError(node, { message: `x ${key}`, [key]: key } as JsonObject, {
			message: `message ${key}`,
			description: `description ${key}`,
		});
		Object.assign(error, { cause, messages: [key, 'a'], more: { deep: [key, { [key]: 1 }] } });
		error.context.data = { url: `https://crm.example.com/?key=${encodeURIComponent(key)}` };
		expect(everything(error)).toContain(key);

		const left = plainError(error, withoutKey);
		expect(left).toBe(error);
		expect(everything(left)).not.toContain(key);
		expect(left).toMatchObject({
			message: `message ${gone}`,
			description: `description ${gone}`,
			messages: [gone, 'a'],
			more: { deep: [gone, { [gone]: 1 }] },
			context: { data: { url: `https://crm.example.com/?key=${gone}` } },
			cause: { message: `cause ${gone}`, config: { headers: { a: gone } } },
		});
		expect((left as Error).stack).toContain(gone);
	});

	test('is cleaned together with all that caused it', () => {
		const error = new Error(`a ${key}`, {
			cause: new Error(`b ${key}`, { cause: new Error(`c ${key}`) }),
		});
		expect(everything(plainError(error, withoutKey))).not.toContain(key);
		expect(error).toMatchObject({
			message: `a ${gone}`,
			cause: { message: `b ${gone}`, cause: { message: `c ${gone}` } },
		});
	});

	test.each([
		['an object', { message: key }],
		['a text', `no ${key}`],
	])('is cleaned although what caused it is no error, but %s', (_what, cause) => {
		expect(everything(plainError(new Error('x', { cause }), withoutKey))).not.toContain(key);
	});

	test('is cleaned down to errors that it holds elsewhere', () => {
		const held = Object.assign(new Error('x'), { inner: new Error(`no ${key}`) });
		plainError(held, withoutKey);
		expect(held.inner.message).toBe(`no ${gone}`);
	});

	test('may be its own cause', () => {
		const [one, other] = [new Error(`one ${key}`), new Error(`other ${key}`)];
		one.cause = other;
		other.cause = one;
		expect(everything(plainError(one, withoutKey))).not.toContain(key);
		expect([one.message, other.message]).toEqual([`one ${gone}`, `other ${gone}`]);
	});

	test('leaves the node alone, with which the workflow goes on', () => {
		const own = { ...node, notes: key };
		const error = plainError(new NodeOperationError(own, 'x'), withoutKey) as NodeOperationError;
		expect(error.node).toBe(own);
		expect(own.notes).toBe(key);
	});

	test('keeps what does not hold the key as it is', () => {
		const context = { itemIndex: 2, at: new Date(0) };
		const error = Object.assign(new Error('x'), { context });
		expect(plainError(error, withoutKey)).toBe(error);
		expect(error.context).toBe(context);
		expect(error.context.at).toEqual(new Date(0));
	});

	test('loses what cannot be looked through', () => {
		const circle: Record<string, unknown> = { key };
		circle.circle = circle;
		const error = plainError(Object.assign(new Error('x'), { circle }), withoutKey);
		expect(error).toMatchObject({ message: 'x', circle: undefined });
	});

	test('is plain text of some length, whoever wrote parts of it', () => {
		const error = Object.assign(new Error(`<b>${'m'.repeat(2000)}`), {
			description: `[x](y)\n${'d'.repeat(3000)}`,
			stack: 's'.repeat(20_000),
		});
		const left = plainError(error, withoutKey) as typeof error;
		expect(left.message).toMatch(/^‹b›m{997}…$/);
		expect(left.description).toMatch(/^\[x\] \(y\) d{1992}…$/);
		expect(left.stack).toMatch(/^s{10000}…$/);
	});

	test.each([[undefined], [null], ['a text'], [{ message: 'no error' }]])(
		'is what it was if it is none: %j',
		(value) => {
			expect(plainError(value, withoutKey)).toBe(value);
		},
	);

	test('of a run without a key is made plain all the same', () => {
		const left = plainError(new Error('<b>'), keyRemover(undefined)) as Error;
		expect(left.message).toBe('‹b›');
	});
});

describe('all that an error says, in one text', () => {
	test.each<[string, { message: string; description?: string | null }, string]>([
		['both sentences', { message: 'One', description: 'Two.' }, 'One. Two.'],
		['what happened alone', { message: 'One' }, 'One'],
		['what happened alone, as n8n has it', { message: 'One', description: null }, 'One'],
		['no key', { message: key, description: `a ${key}.` }, `${gone}. a ${gone}.`],
		['plain text', { message: '<a>', description: '[x](y)\nz' }, '‹a›. [x] (y) z'],
	])('%s', (_what, words, expected) => {
		expect(inOneText(words, withoutKey)).toBe(expected);
	});

	test.each([
		['message', 1000],
		['description', 2000],
	])('is cut only after the key is out: no half of one is left in a %s', (name, longest) => {
		for (let before = longest - key.length - 1; before <= longest; before++) {
			const text = `${'x'.repeat(before)}${key} and more`;
			const left = inOneText({ message: 'm', [name]: text }, withoutKey);
			expect(left).not.toMatch(/sk_|4f1c/);
			expect(left).toContain('x'.repeat(before));
		}
	});
});

describe('hints that leave', () => {
	test('are plain text without the key, of some length', () => {
		const hints: NodeExecutionHint[] = [
			{ message: `<b>\n${key}`, type: 'info', location: 'outputPane' },
			{ message: `${'x'.repeat(1995)}${key}` },
			{ message: 'y'.repeat(2001), type: 'warning' },
		];
		expect(plainHints(hints, withoutKey)).toEqual([
			{ message: `‹b› ${gone}`, type: 'info', location: 'outputPane' },
			{ message: `${'x'.repeat(1995)}[API …` },
			{ message: `${'y'.repeat(2000)}…`, type: 'warning' },
		]);
	});

	test('are none where there are none', () => {
		expect(plainHints([], withoutKey)).toEqual([]);
	});
});
