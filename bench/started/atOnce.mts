import { startPlayground, type Playground } from '../../playground/start.mts';
import { crmNode } from '../../test/support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox } from '../../test/support/sandbox/sandbox.mts';
import { pack } from '../../tools/pack.mts';
import { contestants, type Case, type Figure } from '../case.mts';
import { sendWithHttpRequest } from '../httpRequest.mts';
import { prepare, resultOf, rowsNode, runToEnd, serviceFor } from './run.mts';

const messages = 60;

/** In ms. */
const latency = 300;

/** How many requests this node may have under way: as it comes, and as many as can be set. */
const widths = [5, 20];

/**
 * As many messages as an unused key lets through at once. HTTP Request opens all connections at once.
 * The bound is that of so many requests under way.
 */
export const atOnce: Case = {
	title: 'Sends on an idle key',
	async run({ progress }) {
		const n8n = await startPlayground({ tarball: await pack() });
		try {
			progress(contestants.other);
			const other = await sendAll(n8n);
			const figures: Figure[] = [];
			for (const concurrency of widths) {
				progress(`${contestants.ours}, ${concurrency} at a time`);
				const ours = await sendAll(n8n, concurrency);
				figures.push({
					name: `${messages} sends, ${concurrency} at a time: time`,
					ours,
					other,
					bound: (Math.ceil(messages / concurrency) * latency) / 1000,
					unit: 's',
					...(concurrency === widths[0] && { atMost: { ofBound: 1.25 } }),
				});
			}
			return { figures };
		} finally {
			await n8n.stop();
		}
	},
};

/**
 * Sends the messages with an idle key, after some others with another one, which make it warm.
 * @param concurrency of this node; with HTTP Request by default
 * @returns how long the node ran, in s
 */
async function sendAll(n8n: Playground, concurrency?: number): Promise<number> {
	await sendTo(n8n, concurrency);
	return await sendTo(n8n, concurrency);
}

async function sendTo(n8n: Playground, concurrency?: number): Promise<number> {
	const sandbox = await startSandbox(['--latency', String(latency)]);
	try {
		const seconds = await send(n8n, sandbox, concurrency);
		const { data: inbox } = await sandbox.control('GET', '/inbox');
		if (inbox.length !== messages) throw new Error(`${inbox.length} of ${messages} were sent`);
		return seconds;
	} finally {
		await sandbox.stop();
	}
}

async function send(
	n8n: Playground,
	{ baseUrl, testKey: apiKey }: RunningSandbox,
	concurrency?: number,
): Promise<number> {
	const service = await serviceFor(n8n, { baseUrl, apiKey }, messages);
	const people = Array.from({ length: messages }, (_, index) => ({
		to: `person${index}@example.com`,
	}));
	const ours = {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.to }}',
		templateSlug: 'welcome',
		variables: { variable: [{ name: 'firstName', value: 'Ada' }] },
		options: { concurrency },
	};
	const node = concurrency
		? crmNode('CRM', service.credential, ours)
		: sendWithHttpRequest(service);
	const workflow = await prepare(n8n, [rowsNode(people), node]);
	return (await resultOf(n8n, await runToEnd(n8n, workflow), [node.name])).seconds;
}
