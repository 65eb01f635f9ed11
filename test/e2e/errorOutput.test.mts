import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, crmNode, node, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import {
	delivered,
	items,
	onceEach,
	people as recipients,
	welcome,
} from '../support/n8n/sending.mts';
import { crmWorkflow, errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.control('POST', '/reset'));

const failing = 6;
const people = Array.from({ length: 10 }, (_, index) => ({
	to: `person${index}@example.com`,
	slug: index === failing ? 'none' : 'welcome',
}));

test('of ten items one fails: nine leave by the first output and one by the second', async () => {
	const credential = await createCredential(n8n, unpaced(sandbox), 'Error output');
	const parameters = {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.to }}',
		templateSlug: '={{ $json.slug }}',
	};
	const settings = { onError: 'continueErrorOutput' };
	const workflow = crmWorkflow(people, { credential, parameters, settings });
	const execution = await n8n.run(await n8n.createWorkflow(workflow), 'Start');
	const [done, failed] = [outputOf(execution), outputOf(execution, 'CRM', 1)];
	process.stdout.write(
		`error output: ${done.length} by the first, ${failed.length} by the second\n`,
	);

	expect(errorOf(execution)).toBeUndefined();
	const fine = people.map((_, item) => item).filter((item) => item !== failing);
	expect(done.map(({ pairedItem }) => pairedItem)).toEqual(fine.map((item) => ({ item })));
	expect(done.map(({ json }) => json.to)).toEqual(fine.map((item) => people[item].to));
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: failing }]);
	expect(failed[0].json).toEqual({
		...people[failing],
		error: expect.stringMatching(
			/^The service rejected the message to \S+ because of the template “none”\. Nothing was sent for this item\. Check 'Template Slug'.+ The service says: TEMPLATE_NOT_FOUND: /,
		),
	});
	expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(9);
});

const isBelow = (leftValue: string, rightValue: number) => ({
	leftValue,
	rightValue,
	operator: { type: 'number', operation: 'lt' },
});
const hasError = {
	leftValue: '={{ $json.error }}',
	rightValue: '',
	operator: { type: 'string', operation: 'exists', singleValue: true },
};

/** An If node as docs/send-email.md has it: whether an item goes back once more. */
const onceMore = (...conditions: object[]) =>
	node('Once more?', 'n8n-nodes-base.if', 2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'loose' },
			conditions: [...conditions, isBelow('={{ $runIndex }}', 2)],
			combinator: 'and',
		},
	});

/** What other sites answer in place of the service, each after the message was sent. */
const otherSites = ['Hello from another site', { message: 'Workflow was started' }];

// Interface: SEND-26.
test.each([
	['continueErrorOutput', 1, onceMore()],
	['continueRegularOutput', 0, onceMore(hasError)],
] as const)(
	'%s: what is no message is an error, and sent once when it is looped back',
	async (onError, output, condition) => {
		const [ada, grace, fine] = recipients(3);
		const nobody = { to: 'nobody' };
		for (const [index, { to }] of [ada, grace].entries()) {
			const answer = { kind: 'body', status: 200, after: true, body: otherSites[index] };
			await sandbox.control('POST', '/faults', { ...answer, next: 1, match: `"${to}"` });
		}
		const credential = await createCredential(n8n, unpaced(sandbox), `Led back: ${onError}`);
		const back = { node: 'CRM', type: 'main', index: 0 };
		const workflow = await ProductionWorkflow.activate(
			n8n,
			[
				items([ada, grace, fine, nobody]),
				crmNode('CRM', credential, welcome, { onError }),
				condition,
			],
			{
				...chain('Items', 'CRM'),
				CRM: { main: [...Array(output).fill([]), [{ ...back, node: 'Once more?' }]] },
				'Once more?': { main: [[back], []] },
			},
		);
		const execution = await workflow.run();
		expect(execution.status).toBe('success');
		const errors = outputOf(execution, 'CRM', output).flatMap(({ json }) => json.error ?? []);
		expect(errors).toEqual([
			expect.stringMatching(
				/ with text instead of JSON: Hello from another site\. The message may/,
			),
			expect.stringMatching(/ with JSON that lacks .* The service says: Workflow was started\.$/),
			...Array(3).fill(expect.stringMatching(/^'To' isn't an email address/)),
		]);
		expect(errors[0]).toContain('To retry safely');
		expect(await delivered(sandbox)).toEqual(onceEach([ada, grace, fine]));
	},
);
