import Table from 'cli-table3';
import type { NodeRun } from '../playground/client.mts';
import { createCredential } from '../playground/examples.mts';
import { startPlayground, type Playground } from '../playground/start.mts';
import { startSandbox } from '../sandbox/index.mts';
import { readingDefinitions, type Readings } from '../sandbox/readings.mts';
import { pack } from '../tools/pack.mts';
import { mailing } from './mailing.mts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const processes = ['first n8n', 'second n8n'];
const messagesEach = 200;
const perMinute = 60;
/** Of six minutes, spreading the last one takes a sixth, and finding the shares at first the rest. */
const greatestRatio = 1.6;
const mostRefusals = 5 / 100;

/**
 * Two n8n that know nothing of each other send messages with one key at the same time, against a
 * service that really allows 60 requests a minute, in each way in which it may count them. Takes
 * eight minutes.
 * @throws an Error when it takes longer, or is turned away more often, than it may
 */
export async function run(): Promise<void> {
	const tarball = await pack();
	const limiters = readingDefinitions.limiter.allowed;
	const sandboxes = await Promise.all(limiters.map(sandboxWith));
	const playgrounds = await Promise.all(processes.map(async () => startPlayground({ tarball })));
	try {
		console.log(`2 × ${messagesEach} messages on one key, ${perMinute} requests a minute…`);
		const rows = await Promise.all(
			sandboxes.map(async (sandbox) => {
				const runs = await Promise.all(playgrounds.map(async (one) => send(one, sandbox)));
				return { runs, requests: await requestsSoFar(sandbox) };
			}),
		);
		report(rows.map((row, index) => ({ limiter: limiters[index], ...row })));
	} finally {
		await Promise.all([...playgrounds, ...sandboxes].map(async (one) => one.stop()));
	}
}

async function sandboxWith(limiter: Readings['limiter']): Promise<Sandbox> {
	return startSandbox({ port: 0, requestsPerMinute: perMinute, readings: { limiter } });
}

/** One n8n sends its messages; gives what its node's run was like. */
async function send({ n8n }: Playground, { baseUrl, testKey }: Sandbox): Promise<NodeRun> {
	const service = { baseUrl, apiKey: testKey, requestsPerMinute: perMinute };
	const credential = await createCredential(n8n, service, 'Bench');
	const workflow = await n8n.createWorkflow(mailing(credential, messagesEach));
	const execution = await n8n.ended(await n8n.start(workflow, 'Start'), 20 * 60);
	return execution.data.resultData.runData.CRM[0];
}

interface Row {
	limiter: string;
	runs: NodeRun[];
	requests: Array<{ status: number | null }>;
}

function report(rows: Row[]): void {
	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: ['limiter', ...processes, 'requests', '429', 'safe bound', 'ratio'],
	});
	const measured = rows.map(({ limiter, runs, requests }) => {
		const seconds = runs.map(({ executionTime }) => Number(executionTime) / 1000);
		const messages = runs.flatMap(({ data }) => data?.main[0] ?? []).length;
		const refused = requests.filter(({ status }) => status === 429).length;
		const ratio = Math.max(...seconds) / safeBound(runs.length * messagesEach);
		table.push([
			limiter,
			...seconds.map((one) => `${one.toFixed(1)} s`),
			requests.length,
			refused,
			`${safeBound(runs.length * messagesEach)} s`,
			ratio.toFixed(3),
		]);
		return { messages, ratio, refusals: refused / requests.length };
	});
	console.log(table.toString());
	const isRight = measured.every(
		({ messages, ratio, refusals }) =>
			messages === processes.length * messagesEach &&
			ratio <= greatestRatio &&
			refusals <= mostRefusals,
	);
	if (!isRight) throw new Error('Sharing a key is not what it should be');
}

/** The fewest seconds in which so many requests can be made without a refusal. */
function safeBound(requests: number): number {
	return Math.floor((requests - 1) / perMinute) * 60;
}

async function requestsSoFar({ controlUrl }: Sandbox): Promise<Row['requests']> {
	const answer = (await (await fetch(`${controlUrl}/requests`)).json()) as any;
	return answer.data;
}

if (import.meta.main) await run();
