import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/playground.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox.mts';
import { crmWorkflow, errorOf, outputOf } from '../support/workflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());

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
			/^The service does not know the template, channel or contact of this message\. The service says: /,
		),
	});
	expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(9);
});
