import type { Sandbox } from '../sandbox/sandbox.mts';
import { node } from './productionWorkflow.mts';

/** The parameters of a node of ours that welcomes the person in an item's `to`. */
export const welcome = {
	operation: 'sendTransactionalEmail',
	to: '={{ $json.to }}',
	templateSlug: 'welcome',
};

/** What n8n's 'Retry On Fail' switch sets, without a pause. */
export const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

/** Recipients of their own: person1@example.com, … */
export const people = (count: number, name = 'person') =>
	Array.from({ length: count }, (_, index) => ({ to: `${name}${index + 1}@example.com` }));

/** A node that gives these items. */
export const items = (list: object[]) =>
	node('Items', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(list)};` });

/** One message to each. */
export const onceEach = (list: Array<{ to: string }>) =>
	Object.fromEntries(list.map(({ to }) => [to, 1]));

/** How many messages each recipient got. */
export async function delivered(sandbox: Sandbox): Promise<Record<string, number>> {
	const { data } = await sandbox.control('GET', '/inbox');
	const counts: Record<string, number> = {};
	for (const { to } of data) counts[to] = (counts[to] ?? 0) + 1;
	return counts;
}
