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

describe('an expression in a field that is set to Fixed is refused in every parameter', () => {
	test.each<[string, string, INodeParameters]>([
		['To', '{{ $json.email }}', { to: '{{ $json.email }}' }],
		['HTML', 'Hi {{$json.name}}', { html: 'Hi {{$json.name}}' }],
		['Template Slug', '{{ $json.x }}', { content: 'template', templateSlug: '{{ $json.x }}' }],
		['Variables → a', '{{ $json.x }}', fields(['a', '{{ $json.x }}'])],
		['Variables (JSON)', '{ "a": "{{ $json.x }}" }', json('{ "a": "{{ $json.x }}" }')],
		['Variables → a', 'Dear {{firstName}}', fields(['a', 'Dear {{firstName}}'])],
		['Custom Key', 'order-{{ $json.id }}', custom('order-{{ $json.id }}')],
		[
			'Job Title',
			'{{ $json.x }}',
			{
				operation: 'updateContact',
				contact: { __rl: true, mode: 'email', value: 'ada@example.com' },
				fields: { mappingMode: 'defineBelow', value: { jobTitle: '{{ $json.x }}' } },
			},
		],
		['Search', '{{ $json.x }}', { operation: 'list', filters: { search: '{{ $json.x }}' } }],
	])('%s', async (name, text, parameters) => {
		const result = await send(parameters, [{ email: 'ada@example.com', x: 'y', id: 1 }]);
		const advice = `stays as it is written: “${text}”. Switch the field to Expression`;
		await expectRefused(result, `'${name}' is set to Fixed`, advice);
	});
});

describe('a piece of an expression that gives nothing is refused', () => {
	test.each<[string, string, INodeParameters]>([
		['HTML', '{{ $json.Amount }}', { html: '=Pay {{ $json.Amount }} EUR' }],
		['HTML', '{{ $json.a.b.c }}', { html: '={{ $json.name }}: {{ $json.a.b.c }}' }],
		['Subject', '{{ $json.nr }}', { subject: '=Order {{ $json.nr }}' }],
		['To', '{{ $json.mail }}', { to: '={{ $json.mail }}' }],
		[
			'Template Slug',
			'{{ $json.lang }}',
			{ content: 'template', templateSlug: '=w-{{ $json.lang }}' },
		],
		['Plain Text', '{{ $json.nr }}', added({ text: '=Order {{ $json.nr }}' })],
		['Channel ID', '{{ $json.channel }}', added({ channelId: '={{ $json.channel }}' })],
		['Variables → total', '{{ $json.nr }}', fields(['total', '={{ $json.nr }} EUR'])],
		['Variables (JSON)', '{{ $json.nr }}', json('={ "total": "{{ $json.nr }} EUR" }')],
		['Variables (JSON)', '{{ $json.nr }}', json('={ "{{ $json.nr }}": 1 }')],
		['Custom Key', '{{ $json.orderId }}', custom('=order-{{ $json.orderId }}-shipped')],
	])('%s: %s', async (displayName, piece, parameters) => {
		const result = await send(parameters, [{ name: 'Ada' }]);
		const isKey = displayName === 'Custom Key';
		const advice = `The expression “${piece}” gave ${isKey ? 'no value' : 'nothing'}`;
		await expectRefused(result, `'${displayName}' is incomplete`, advice);
		const { description = '' } = result.error!;
		expect(description).toContain(`${piece.slice(3, -3)} has no value in this item`);
		const isGuarded = !isKey && displayName !== 'To';
		const guarded = piece.slice(0, -3).replace('a.b.c', 'a?.b?.c');
		expect(description?.includes(`write ${guarded} ?? "" }}`)).toBe(isGuarded);
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
		const update = {
			operation: 'updateContact',
			contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
			fields: { mappingMode: 'defineBelow', value: { jobTitle: 'x' } },
		};
		await expectRefused(
			await send({ to: '={{ $json.email }}' }, [item]),
			"'To' is incomplete",
			advice,
		);
		await expectRefused(await send(update, [item]), "'Contact' is empty", advice);
	});

	test('a name that differs in a blank alone is the one that is meant', async () => {
		const html = '=Hi {{ $json["E-Mail "] }}';
		const { error } = await send({ html }, [{ email: 'x', 'E-Mail': 'ada@example.com' }]);
		const blank = '“E-Mail” with a blank or invisible character';
		expect(error?.description).toContain(`the item has “E-Mail”, not ${blank}`);
	});

	test.each([null, '', ' '])(
		'no part of a key is %j: two events would get one',
		async (orderId) => {
			const result = await send(custom('=order-{{ $json.orderId }}'), [{ orderId }]);
			await expectRefused(result, "'Custom Key' is incomplete", '$json.orderId }}” gave no value');
			expect(result.error?.description).not.toContain('??');
		},
	);

	test.each([
		'{{ "order-" + $json.id }}',
		'{{ ["order", $json.none].join("-") }}',
		'{{ ($json.order + $json.none).hash() }}',
		'{{ "order-" & $json.order }}',
	])('nor is one in the middle of an expression: %s', async (key) => {
		const result = await send(custom(`=${key}`), [{ id: '', order: '7' }]);
		expect(result.error?.message).toMatch(/^'Custom Key' (is incomplete|has .+ n8n knows)$/);
		expect(await bodies()).toEqual([]);
	});

	test('a number that has lost digits is refused, too: two events would get one key', async () => {
		const items = [{ orderId: 9007199254740993 }];
		const result = await send(custom('=order-{{ $json.orderId }}'), items);
		await expectRefused(result, "'Custom Key' is incomplete", 'a rounded number');
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
		const send1 = async (item: IDataObject) =>
			await send({ html: 'Hi {{name}}', ...variables }, [item]);
		const problem = "Tokens in 'HTML' have no value: name";
		await expectRefused(
			await send1({}),
			problem,
			"The message to ada@example.com wasn't sent. $json.first has no value in this item.",
		);
		await expectRefused(
			await send1({ First: 'Ada' }),
			problem,
			'the item has “First”, not “first”',
		);
	});
});

describe('blank text', () => {
	test.each(['', ' \n'])('%j is no value for a token with a fallback', async (first) => {
		const variables = fields(['name', '={{ $json.first }}']);
		const { error } = await send({ html: 'Hi {{name|friend}},', ...variables }, [{ first }]);
		expect(error).toBeUndefined();
		expect(await inbox()).toEqual(['ada@example.com: Hi friend,']);
	});

	test('is the value of a token without a fallback', async () => {
		const variables = fields(['name', '={{ $json.first }}']);
		await send({ html: 'Hi {{name}},', ...variables }, [{ first: '' }]);
		expect((await bodies())[0].variables).toEqual({ name: '' });
	});
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
		expect((await bodies())[0].variables).toEqual({
			...{ count: 2, list: ['a', 'b'], both: '2 of a,b', fixed: true, text: '2' },
		});
	});

	test.each([
		['{ p: "#" + $json.orderNo }', '“#undefined” for “p”'],
		['{ lines: [{ price: "€" + $json.price }] }', '“€undefined” for “price”'],
		['{ total: 1 / 0 }', '“Infinity” for “total”'],
		['{ id: $json.id }', 'a rounded number for “id”'],
		['JSON.stringify({ name: "Hi " + $json.blank })', '“Hi null” for “name”'],
		['$json.vars', 'gave nothing'],
	])('an object is looked through: %s', async (object, flaw) => {
		const item = { id: 9007199254740993, blank: null };
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
		await expectRefused(
			result,
			"'Variables (JSON)' isn't JSON",
			'{{ { message: $json.message } }}',
		);
	});
});

describe('a variable that no token uses', () => {
	const hintsOf = async (html: string, ...names: string[]) => {
		const pairs = names.map((name): [string, string] => [name, 'Ada']);
		return (await send({ html, ...fields(...pairs) })).hints.map(({ message }) => message);
	};

	test.each(['*|FNAME|* x', '[[FNAME]]', '%recipient.FNAME%', '{{fname|you}}'])(
		'%s',
		async (html) => {
			const [hint, ...others] = await hintsOf(html, 'FNAME');
			expect(hint).toMatch(/^No token uses these variables: FNAME\. .*written like \{\{FNAME\}\}/);
			expect(others).toHaveLength(html.includes('*|') ? 1 : 0);
		},
	);
});

test('an address in From Name is refused', async () => {
	const result = await send(added({ fromName: 'Ada <evil@x.example>' }));
	await expectRefused(result, "'From Name' has ‹ or ›");
});

describe('a refusal of one message', () => {
	const items = ['a', 'b', 'bounced', 'c', 'd'].map((name) => ({ to: `${name}@example.com` }));

	test.each<[string, object, string]>([
		[
			'that the service rejects',
			{ kind: 'status', status: 422, body: { error: { message: 'Suppressed' } } },
			"The message to bounced@example.com wasn't sent: the service rejected it",
		],
		[
			'that it accepts and does not deliver',
			{ kind: 'body', status: 200, body: { data: { id: '1', status: 'suppressed' } } },
			'The message to bounced@example.com was not delivered: status “suppressed”',
		],
	])('%s names its recipient, and says what a retry does', async (_what, given, message) => {
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
		await expectRefused(
			result,
			"'HTML' is incomplete",
			"The message to bounced@example.com wasn't sent.",
		);
		expect(result.error?.description).toMatch(/0 of 2 items were done\.$/);
	});
});

describe('a custom key of a message that was sent with different content', () => {
	test('the advice asks first whether both are about the same event', async () => {
		await send({ ...custom('order-1'), html: 'At 10:00' }, [{}], { executionId: '1' });
		const { error } = await send({ ...custom('order-1'), html: 'At 10:05' }, [{}], {
			executionId: '2',
		});
		expect(error?.description).toMatch(/^For the same event, there is nothing to do/);
	});
});

describe('small things', () => {
	test('items keep their files, those that fail as well', async () => {
		const binary = { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'x.txt' } };
		const settings = { onError: 'continueRegularOutput' as const };
		const { outputs } = await send(
			{ to: '={{ $json.to }}' },
			[{ to: 'a@example.com' }, { to: '' }],
			{
				settings,
				binary,
			},
		);
		expect(outputs[0]).toMatchObject([{ binary }, { binary }]);
		expect(outputs[0][1].json.error).toBeDefined();
	});

	test('a field that an item gains on its way back is no other content', async () => {
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

	test('addresses that differ in case are one recipient', async () => {
		const { json } = await send({ to: '={{ $json.to }}' }, [
			{ to: 'Ada@example.com' },
			{ to: 'ada@example.com' },
		]);
		expect(json.map(({ _result }) => _result)).toEqual(['sent', 'sentBefore']);
		expect(await inbox()).toHaveLength(1);
	});
});
