import { describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();

const send = async (
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	more: Partial<NodeRun> = {},
) =>
	await runNode({
		items,
		parameters: {
			operation: 'sendTransactionalEmail',
			to: 'ada@example.com',
			...{ content: 'html', subject: 'Hello', html: 'Hello' },
			options: { concurrency: 1 },
			...parameters,
		},
		credential: unpaced(sandbox),
		...more,
	});

const bodies = async (): Promise<any[]> => {
	const { data } = await sandbox.control('GET', '/requests');
	return data.map(({ body }: any) => body);
};
const inbox = async (): Promise<string[]> => {
	const { data } = await sandbox.control('GET', '/inbox');
	return data.map(({ to, html }: any) => `${to}: ${html}`);
};

const fields = (...pairs: Array<[name: string, value: string]>) => ({
	variables: { variable: pairs.map(([name, value]) => ({ name, value })) },
});
const json = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });
const custom = (idempotencyKey: string) => ({ idempotency: 'custom', idempotencyKey });
const added = (additionalFields: IDataObject) => ({ additionalFields }) as INodeParameters;

/** Nothing was sent, and the error says this. */
const expectRefused = async (
	{ error }: Awaited<ReturnType<typeof send>>,
	message: string,
	description = '',
) => {
	expect(error?.message).toBe(message);
	expect(error?.description).toContain(description);
	expect(await bodies()).toEqual([]);
};

const update = {
	operation: 'updateContact',
	contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
};

describe('an expression in a field that is set to Fixed is refused in every parameter', () => {
	const code = '{{ $json.x }}';
	const mapped = { mappingMode: 'defineBelow', value: { jobTitle: code } };

	test.each<[string, string, INodeParameters]>([
		['To', code, { to: code }],
		['HTML', 'Hi {{$json.name}}', { html: 'Hi {{$json.name}}' }],
		['Template Slug', code, { content: 'template', templateSlug: code }],
		['Variables → a', code, fields(['a', code])],
		['Variables (JSON)', `{ "a": "${code}" }`, json(`{ "a": "${code}" }`)],
		['Variables → a', 'Dear {{firstName}}', fields(['a', 'Dear {{firstName}}'])],
		['Custom Key', 'order-{{ $json.id }}', custom('order-{{ $json.id }}')],
		['Job Title', code, { ...update, fields: mapped }],
		['Search', code, { operation: 'list', filters: { search: code } }],
	])('%s: %s', async (name, text, parameters) => {
		const result = await send(parameters, [{ email: 'ada@example.com', x: 'y', id: 1 }]);
		const advice = `stays as it is written: “${text}”. Switch the field to Expression`;
		await expectRefused(result, `'${name}' is set to Fixed`, advice);
	});
});

describe('a piece of an expression that gives nothing is refused', () => {
	const nr = '{{ $json.nr }}';

	test.each<[string, INodeParameters]>([
		['HTML', { html: `=Pay ${nr} EUR` }],
		['HTML', { html: `={{ $json.name }}: ${nr}` }],
		['Subject', { subject: `=Order ${nr}` }],
		['Template Slug', { content: 'template', templateSlug: `=w-${nr}` }],
		['Plain Text', added({ text: `=Order ${nr}` })],
		['Channel ID', added({ channelId: `=${nr}` })],
		['Variables → total', fields(['total', `=${nr} EUR`])],
		['Variables (JSON)', json(`={ "total": "${nr} EUR" }`)],
		['Variables (JSON)', json(`={ "${nr}": 1 }`)],
	])('%s: %j', async (name, parameters) => {
		const result = await send(parameters, [{ name: 'Ada' }]);
		await expectRefused(
			result,
			`'${name}' is incomplete`,
			`The expression “${nr}” gave nothing. $json.nr has no value in this item; if it may be missing, write {{ $json.nr ?? "" }} instead.`,
		);
	});

	test.each<[string, INodeParameters, string]>([
		['To', { to: `=${nr}` }, 'gave nothing'],
		['Custom Key', custom(`=order-${nr}-shipped`), 'gave no value'],
	])('%s, which has to have a value', async (name, parameters, flaw) => {
		const result = await send(parameters, [{ name: 'Ada' }]);
		const advice = `The expression “${nr}” ${flaw}. $json.nr has no value in this item.`;
		await expectRefused(result, `'${name}' is incomplete`, advice);
		expect(result.error?.description).not.toContain('??');
	});

	test.each([
		['$json["First name"]', '$json["First name"]'],
		['$json.a["b.c"][0].d', '$json.a?.["b.c"]?.[0]?.d'],
		['$json.a?.b?.["c"]', '$json.a?.b?.["c"]'],
		["$('Source').item.json.none", "$('Source')?.item?.json?.none"],
	])('%s may be missing: %s', async (path, guarded) => {
		const { error } = await send({ html: `=Hi {{ ${path} }}` }, [{ name: 'Ada' }]);
		expect(error?.description).toContain(`write {{ ${guarded} ?? "" }} instead`);
		expect((await send({ html: `=Hi {{ ${guarded} ?? "" }}` }, [{}])).error).toBeUndefined();
	});

	test.each<[IDataObject, string]>([
		[{ Email: 'ada@example.com' }, 'the item has “Email”, not “email”'],
		[{ 'E-Mail': 'ada@example.com' }, 'the item has “E-Mail”, not “email”'],
		[{ body: { Email: 'ada@example.com' } }, 'the item has “body.Email”, not “email”'],
		[
			{ '\ufeffemail': 'ada@example.com' },
			'the item has “email” with a blank or invisible character',
		],
	])('where the item is %j, To and Contact say which field is meant', async (item, advice) => {
		const fields = { mappingMode: 'defineBelow', value: { jobTitle: 'x' } };
		const sent = await send({ to: '={{ $json.email }}' }, [item]);
		await expectRefused(sent, "'To' is incomplete", advice);
		const updated = await send({ ...update, fields }, [item]);
		await expectRefused(updated, "'Contact' is empty", advice);
	});

	test('a name that differs in a blank alone is the one that is meant', async () => {
		const html = '=Hi {{ $json["E-Mail "] }}';
		const { error } = await send({ html }, [{ email: 'x', 'E-Mail': 'ada@example.com' }]);
		const blank = '“E-Mail” with a blank or invisible character';
		expect(error?.description).toContain(`the item has “E-Mail”, not ${blank}`);
	});

	// Two events would get one key.
	test.each<[string, IDataObject]>([
		['{{ $json.id }}', { id: null }],
		['{{ $json.id }}', { id: '' }],
		['{{ $json.id }}', { id: ' ' }],
		['{{ "order-" + $json.id }}', { id: '' }],
		['{{ "order-" + $json.body?.id }}', { body: { id: '' } }],
		['{{ ["order", $json.id].join("-") }}', {}],
		['{{ ($json.order + $json.id).hash() }}', { order: '7' }],
	])('a custom key with %s, where the item is %j', async (piece, item) => {
		const result = await send(custom(`=order-${piece}`), [item]);
		const advice = `The expression “${piece}” gave no value`;
		await expectRefused(result, "'Custom Key' is incomplete", advice);
		expect(result.error?.description).not.toContain('??');
	});

	test('a custom key with a number that has lost digits', async () => {
		const items = [{ orderId: Number('9007199254740993') }];
		const result = await send(custom('=order-{{ $json.orderId }}'), items);
		await expectRefused(result, "'Custom Key' is incomplete", 'a rounded number');
	});

	test('a custom key whose parts are joined by &', async () => {
		const { error } = await send(custom('={{ "order-" & $json.order }}'), [{ order: '7' }]);
		expect(error?.message).toMatch(/^'Custom Key' has .+ n8n knows$/);
		expect(await bodies()).toEqual([]);
	});
});

describe('a variable that gives nothing', () => {
	const items = [{ first: 'Ada' }, { first: 'Bob' }, {}];
	const to = '={{ ["a", "b", "c"][$itemIndex] }}@example.com';

	test.each<[string, INodeParameters]>([
		['in fields', fields(['name', '={{ $json.first }}'])],
		['in JSON', json('={ "name": "{{ $json.first }}" }')],
		['in an object', json('={{ { name: $json.first } }}')],
	])('%s lets the fallback take over, and a hint counts it', async (_where, variables) => {
		const { error, hints } = await send({ to, html: 'Hi {{name|friend}}', ...variables }, items);
		expect(error).toBeUndefined();
		expect((await inbox()).sort()).toEqual([
			'a@example.com: Hi Ada',
			'b@example.com: Hi Bob',
			'c@example.com: Hi friend',
		]);
		expect(hints).toMatchObject([
			{ type: 'warning', message: expect.stringContaining('name (1 of 3 items)') },
		]);
	});

	test('no hint speaks of a message that the service refused', async () => {
		const order = { content: 'template', templateSlug: 'order-confirmation' };
		const variables = fields(['orderNumber', '={{ $json.order }}'], ['total', '5']);
		const settings = { onError: 'continueErrorOutput' as const };
		const { hints, outputs } = await send({ ...order, ...variables }, [{}], { settings });
		expect(outputs[1]).toHaveLength(1);
		expect(hints).toEqual([]);
	});

	test('without a fallback is refused', async () => {
		const variables = fields(['name', '={{ $json.first }}']);
		const undone = "The message to ada@example.com wasn't sent.";
		for (const [item, advice] of [
			[{}, `${undone} $json.first has no value in this item.`],
			[{ First: 'Ada' }, 'the item has “First”, not “first”'],
		] as const) {
			const result = await send({ html: 'Hi {{name}}', ...variables }, [item]);
			await expectRefused(result, "Tokens in 'HTML' have no value: name", advice);
		}
	});
});

test.each([
	['', '{{name|friend}}', 'friend'],
	[' \n', '{{name|friend}}', 'friend'],
	['', '{{name}}', ''],
])('a variable that is %j gives %s the value %j', async (first, token, shown) => {
	const variables = fields(['name', '={{ $json.first }}']);
	const { error } = await send({ html: `Hi ${token},`, ...variables }, [{ first }]);
	expect(error).toBeUndefined();
	expect(await inbox()).toEqual([`ada@example.com: Hi ${shown},`]);
});

describe('Variables (JSON) that is typed around expressions', () => {
	const message = 'She said "hi",\n"link": "https://evil.example" C:\\new';
	const html = '{{message}} {{link|https://example.com}}';

	test.each([
		['between quotes', '={ "message": "{{ $json.message }}" }'],
		['with quotes of its own', '={ "message": "{{ $json["message"] }}" }'],
		['as JSON', '={ "message": {{ JSON.stringify($json.message) }} }'],
		['as an object', '={{ { message: $json.message } }}'],
	])('%s: the text arrives as it is and sets nothing else', async (_how, variablesJson) => {
		const { error } = await send({ html, ...json(variablesJson) }, [{ message }]);
		expect(error).toBeUndefined();
		expect((await bodies())[0].variables).toEqual({ message });
	});

	test('numbers, lists and several expressions keep their kinds', async () => {
		const variablesJson =
			'={ "count": {{ $json.count }}, "list": {{ JSON.stringify($json.list) }}, "both": "{{ $json.count }} of {{ $json.list.join() }}", "fixed": true, "text": "{{ $json.count }}" }';
		await send(json(variablesJson), [{ count: 2, list: ['a', 'b'] }]);
		const variables = { count: 2, list: ['a', 'b'], both: '2 of a,b', fixed: true, text: '2' };
		expect((await bodies())[0].variables).toEqual(variables);
	});

	test.each([
		['{ p: "#" + $json.orderNo }', '“#undefined” for “p”'],
		['{ lines: [{ price: "€" + $json.price }] }', '“€undefined” for “price”'],
		['{ total: 1 / 0 }', '“Infinity” for “total”'],
		['{ id: $json.id }', 'a rounded number for “id”'],
		['JSON.stringify({ name: "Hi " + $json.blank })', '“Hi null” for “name”'],
		['$json.vars', 'gave nothing'],
	])('an object is looked through: %s', async (object, flaw) => {
		const item = { id: Number('9007199254740993'), blank: null };
		const result = await send({ html, ...json(`={{ ${object} }}`) }, [item]);
		await expectRefused(result, "'Variables (JSON)' is incomplete", flaw);
	});

	test.each([
		['text where a value has to be', '={ "message": {{ $json.message }} }'],
		['a value that adds a variable', '={ "count": {{ $json.count }} }'],
		['what is no JSON', '={ message: "{{ $json.message }}" }'],
		['what is no JSON and Fixed', '{ "message": "a" '],
	])('%s is refused', async (_what, variablesJson) => {
		const item = { message, count: '1, "link": "https://evil.example"' };
		const result = await send({ html, ...json(variablesJson) }, [item]);
		const advice = '{{ { message: $json.message } }}';
		await expectRefused(result, "'Variables (JSON)' isn't JSON", advice);
	});
});

test.each(['*|FNAME|* x', '[[FNAME]]', '%recipient.FNAME%', '{{fname|you}}'])(
	'a hint names a variable that no token uses: %s',
	async (html) => {
		const { hints } = await send({ html, ...fields(['FNAME', 'Ada']) });
		const [first, ...others] = hints.map(({ message }) => message);
		expect(first).toMatch(/^No token uses these variables: FNAME\. .*written like \{\{FNAME\}\}/);
		expect(others).toHaveLength(html.includes('*|') ? 1 : 0);
	},
);

test('an address in From Name is refused', async () => {
	const result = await send(added({ fromName: 'Ada <evil@x.example>' }));
	await expectRefused(result, "'From Name' has ‹ or ›");
});

describe('a refusal of one message', () => {
	const items = ['a', 'b', 'bounced', 'c', 'd'].map((name) => ({ to: `${name}@example.com` }));

	const refused = { kind: 'status', status: 422, body: { error: { message: 'Suppressed' } } };
	const undelivered = { kind: 'body', body: { data: { id: '1', status: 'suppressed' } } };

	test.each([
		["wasn't sent: the service rejected it", refused],
		['was not delivered: status “suppressed”', undelivered],
	])('names its recipient, and says what a retry does: %s', async (problem, given) => {
		const message = `The message to bounced@example.com ${problem}`;
		await sandbox.control('POST', '/faults', { ...given, match: '"bounced@', next: 2 });
		const failed = await send({ to: '={{ $json.to }}' }, items);
		const retried = await send({ to: '={{ $json.to }}' }, items, { retryOf: failed });
		for (const { error } of [failed, retried]) {
			expect(error?.message).toBe(message);
			expect(error?.description).toContain(
				"2 of 5 items were done, and a retry of the execution doesn't send them again.",
			);
		}
		expect(await inbox()).toHaveLength(2);
	});

	test('of an item whose text has a hole', async () => {
		const parameters = { to: '={{ $json.to }}', html: '=Hi {{ $json.name }}!' };
		const result = await send(parameters, [{ ...items[0], name: 'A' }, items[2]]);
		const undone = "The message to bounced@example.com wasn't sent.";
		await expectRefused(result, "'HTML' is incomplete", undone);
		expect(result.error?.description).toMatch(/0 of 2 items were done\.$/);
	});
});

test('a custom key of a message with different content: the advice asks for the event first', async () => {
	await send({ ...custom('order-1'), html: 'At 10:00' }, [{}], { executionId: '1' });
	const later = { ...custom('order-1'), html: 'At 10:05' };
	const { error } = await send(later, [{}], { executionId: '2' });
	expect(error?.description).toMatch(/^For the same event, there is nothing to do/);
});

test('items keep their files, those that fail as well', async () => {
	const binary = ['x.txt', 'y.txt'].map((fileName) => ({
		data: { data: 'eA==', mimeType: 'text/plain', fileName },
	}));
	const settings = { onError: 'continueRegularOutput' as const };
	const given = [{ to: 'a@example.com' }, { to: '' }];
	const { outputs } = await send({ to: '={{ $json.to }}' }, given, { settings, binary });
	expect(outputs[0].map((item) => item.binary)).toMatchObject(binary);
	expect(outputs[0][1].json.error).toBeDefined();
});

test('a field that an item gains on its way back to the node is no other content', async () => {
	const parameters = { html: 'Hi {{name}}', ...json('={{ $json }}') };
	const lost = { kind: 'body', status: 200, after: true, body: { status: 'ok' }, next: 1 };
	await sandbox.control('POST', '/faults', lost);
	const settings = { onError: 'continueErrorOutput' as const };
	await send(parameters, [{ name: 'Ada' }], { settings, loopedBack: 1 });
	const [first, second] = await bodies();
	expect(Object.keys(second.variables)).toEqual(['name', 'error']);
	expect(second.idempotencyKey).toBe(first.idempotencyKey);
	expect(await inbox()).toEqual(['ada@example.com: Hi Ada']);
});

test('addresses that differ in case are one recipient, who gets equal messages once', async () => {
	const given = [{ to: 'Ada@example.com' }, { to: 'ada@example.com' }];
	const { json } = await send({ to: '={{ $json.to }}' }, given);
	expect(json.map(({ _result }) => _result)).toEqual(['sent', 'sentBefore']);
	expect(await inbox()).toHaveLength(1);
});
