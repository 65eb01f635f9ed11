import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, crmNode, node, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, items, onceEach, people, welcome } from '../support/n8n/sending.mts';
import { outputOf } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'Looped back');
});
afterAll(async () => await sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));

/** An If node as docs/send-email.md has it: an item goes back twice at most. */
const onceMore = node('Once more?', 'n8n-nodes-base.if', 2, {
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'loose' },
		conditions: [
			{
				leftValue: '={{ $runIndex }}',
				rightValue: 2,
				operator: { type: 'number', operation: 'lt' },
			},
		],
		combinator: 'and',
	},
});

const changing = { ...welcome, additionalFields: { subject: '={{ $now.toISO() }}' } };
const onError = 'continueErrorOutput';
const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
let credential: string;

/** Runs a send node with content that changes, and what its error output leads to. */
async function runChanging(next: ReturnType<typeof node>, connections: object) {
	await sandbox.control('POST', '/faults', { kind: 'status', status: 503, next: 5 });
	const workflow = await ProductionWorkflow.activate(
		n8n,
		[items(people(1)), crmNode('CRM', credential, changing, { onError }), next],
		{ ...chain('Items', 'CRM'), CRM: { main: [[], to(next.name)] }, ...connections },
	);
	expect((await workflow.run()).status).toBe('success');
	const { data } = await sandbox.control('GET', '/requests');
	return { requests: data.length, delivered: await delivered(sandbox) };
}

test('after an outage, an item whose content changes is looped back and sent once', async () => {
	const sent = await runChanging(onceMore, { 'Once more?': { main: [to('CRM'), []] } });
	expect(sent).toEqual({ requests: 6, delivered: { 'person1@example.com': 1 } });
});

test("after an outage, a fallback node sends its message, and the failed one isn't sent", async () => {
	const fallback = crmNode('Fallback', credential, welcome);
	const sent = await runChanging(fallback, {});
	expect(sent).toEqual({ requests: 6, delivered: { 'person1@example.com': 1 } });
});

/** Responses of other sites, after the service has sent the message: text is asked for again. */
const otherSites = [
	{ body: 'Hello from another site', next: 5 },
	{ body: { message: 'Workflow was started' }, next: 1 },
];

// Interface: SEND-26.
test('a response without a message is an error, and looping the error output back sends once', async () => {
	const [ada, grace, fine] = people(3);
	for (const [index, { to }] of [ada, grace].entries()) {
		const answer = { kind: 'body', status: 200, after: true, ...otherSites[index] };
		await sandbox.control('POST', '/faults', { ...answer, match: `"${to}"` });
	}
	const send = crmNode('CRM', credential, welcome, { onError });
	const workflow = await ProductionWorkflow.activate(
		n8n,
		[items([ada, grace, fine, { to: 'nobody' }]), send, onceMore],
		{
			...chain('Items', 'CRM'),
			CRM: { main: [[], to('Once more?')] },
			'Once more?': { main: [to('CRM'), []] },
		},
	);
	const execution = await workflow.run();
	expect(execution.status).toBe('success');
	const errors = outputOf(execution, 'CRM', 1).map(({ json }) => json.error);
	expect(errors).toEqual([
		expect.stringMatching(
			/ may already .* with text instead of JSON: Hello from another site\. To/,
		),
		expect.stringMatching(/ with JSON that lacks .* The service says: Workflow was started\.$/),
		...Array(3).fill(expect.stringMatching(/^'To' isn't an email address/)),
	]);
	expect(errors[0]).toContain('To send it safely');
	expect(await delivered(sandbox)).toEqual(onceEach([ada, grace, fine]));
});
