/** What a run asks the service for, with nothing of n8n around that could hide a mistake. */
import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { thinContext, type Asked } from '../support/engine/bareRun.mts';

const contact = { id: '10000000-0000-4000-8000-000000000000', email: 'ada@example.com' };

const json = (value: object) => Buffer.from(JSON.stringify(value));

/** Runs one item. @param own what isn't as usual of the context */
async function run(parameters: IDataObject, own: object = {}, input: IDataObject = {}) {
	const asked: Asked[] = [];
	const { context } = thinContext({
		items: [input],
		parameter: (name) => parameters[name],
		answer(one) {
			asked.push(one);
			const held = { ...contact, tags: ['old'] };
			const meta = { pagination: { page: 1, limit: 100, totalCount: 1, totalPages: 1 } };
			const message = { id: 'm1', status: 'queued', to: one.body.to };
			const data = one.path === '/transactional/send' ? message : { ...held, ...one.body };
			return json(one.method === 'GET' ? { data: [held], meta } : { data });
		},
	});
	const [[item]] = await new CrmWorkspace().execute.call({ ...context, ...own });
	return { item, last: asked.at(-1)?.body };
}

describe('a message', () => {
	const send = {
		...{ operation: 'sendTransactionalEmail', content: 'html', idempotency: 'execution' },
		...{ to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>', variablesInput: 'fields' },
	};
	const keyIn = async (own: object) => (await run(send, own)).last!.idempotencyKey;

	test('in another instance whose execution has the same number has another key', async () => {
		const within = (name: string) => ({ getInstanceId: () => name, getExecutionId: () => '7' });
		const [one, again, other] = [
			await keyIn(within('a')),
			await keyIn(within('a')),
			await keyIn(within('b')),
		];
		expect(again).toBe(one);
		expect(other).not.toBe(one);
	});

	test('a call that has no execution sends nothing more when it is tried again', async () => {
		const call = () => {
			const input = [{ json: {} }];
			return { getExecutionId: () => undefined, getInputData: () => input };
		};
		const [one, other] = [call(), call()];
		const first = await keyIn(one);
		const again = await run(send, one);
		expect(again.last).toBeUndefined();
		expect(again.item.json).toMatchObject({ idempotencyKey: first });
		expect(await keyIn(other)).not.toBe(first);
	});

	test('advice in a sub-workflow whose node continues is that of any node that continues', async () => {
		const adviceIn = async (mode: string) => {
			const { context } = thinContext({
				items: [{}],
				parameter: (name) => (send as IDataObject)[name],
				answer: () => json({}),
			});
			const [[item]] = await new CrmWorkspace().execute.call(
				Object.assign(context, { getMode: () => mode }),
			);
			return item.json.error;
		};
		const advice = await adviceIn('integrated');
		expect(advice).toMatch(/may already have been sent/);
		expect(advice).toBe(await adviceIn('trigger'));
	});

	test('a custom key is refused if a field in its expression has no value', async () => {
		const values: IDataObject = { "$json.form + '-' + $json.row": 'f-', '$json.form': 'f' };
		const own = { evaluateExpression: (code: string) => values[code.slice(3, -3)] };
		const custom = { idempotency: 'custom', idempotencyKey: "={{ $json.form + '-' + $json.row }}" };
		const { item, last } = await run({ ...send, ...custom }, own);
		expect(item.json.error).toMatch(/^'Custom Key' is incomplete/);
		expect(last).toBeUndefined();
	});
});

test.each([
	['crmWorkspace', ['new']],
	['crmWorkspaceTool', ['old', 'new']],
])('a tag that %s writes', async (type, tags) => {
	const parameters = {
		...{ operation: 'updateContact', contact: { mode: 'id', value: contact.id } },
		...{ 'fields.mappingMode': 'autoMapInputData', options: {} },
	};
	const getNode = () => ({ id: '1', name: 'CRM', type, parameters: {} });
	expect((await run(parameters, { getNode }, { tags: ['new'] })).last).toMatchObject({ tags });
});

test('a row finds the contact under the address that an earlier row gives it', async () => {
	const held: IDataObject = { ...contact };
	const rows = [
		{ who: 'ada@example.com', email: 'new@example.com' },
		{ who: 'new@example.com', phone: '1' },
	];
	const parameters = { operation: 'updateContact', 'fields.mappingMode': 'autoMapInputData' };
	const { context } = thinContext({
		items: rows.map(({ who: _, ...cells }) => cells),
		parameter: (name, index) =>
			({ ...parameters, contact: { mode: 'email', value: rows[index].who }, options: {} })[name],
		answer({ method, body }) {
			const meta = { pagination: { page: 1, limit: 100, totalCount: 1, totalPages: 1 } };
			if (method === 'PUT') Object.assign(held, body);
			return json(method === 'PUT' ? { data: held } : { data: [held], meta });
		},
	});
	const [items] = await new CrmWorkspace().execute.call(context);
	expect(items.map((item) => item.json.error ?? item.json._result)).toEqual(['updated', 'updated']);
	expect(held).toMatchObject({ email: 'new@example.com', phone: '1' });
});
