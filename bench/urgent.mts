import Table from 'cli-table3';
import { createCredential } from '../playground/examples.mts';
import { startPlayground } from '../playground/start.mts';
import { startSandbox } from '../sandbox/index.mts';
import { pack } from '../tools/pack.mts';
import { mailing } from './mailing.mts';

const perMinute = 60;
const mailingLength = 300;
const urgentSends = 20;

/** How long after one urgent send the next begins, in ms. */
const interval = 12_000;

/** How long the node may run for an urgent send, 95 of 100 times, in ms. */
const longest = 5_000;

/**
 * One n8n sends a long mailing, and every now and then another execution has one urgent message to
 * send with the same key, at 60 requests a minute. Takes six minutes.
 * @throws an Error when the urgent ones wait, or hold the mailing up, for longer than they may
 */
export async function run(): Promise<void> {
	const sandbox = await startSandbox({ port: 0, requestsPerMinute: perMinute });
	const { n8n, stop } = await startPlayground({ tarball: await pack() });
	try {
		const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
		const settings = { ...service, requestsPerMinute: perMinute };
		const credential = await createCredential(n8n, settings, 'Bench');
		const send = async (messages: number, seconds: number) => {
			const workflow = await n8n.createWorkflow(mailing(credential, messages));
			const { data } = await n8n.ended(await n8n.start(workflow, 'Start'), seconds);
			return Number(data.resultData.runData.CRM[0].executionTime);
		};
		console.log(`${mailingLength} messages, and ${urgentSends} urgent ones beside them…`);
		const long = send(mailingLength, 15 * 60);
		const urgent: Array<Promise<number>> = [];
		for (let index = 0; index < urgentSends; index++) {
			await new Promise((resolve) => setTimeout(resolve, interval));
			urgent.push(send(1, 120));
		}
		report(await long, await Promise.all(urgent));
	} finally {
		await Promise.all([stop(), sandbox.stop()]);
	}
}

function report(long: number, urgent: number[]): void {
	const sorted = urgent.toSorted((a, b) => a - b);
	const part = (of: number) => sorted[Math.ceil(of * sorted.length) - 1];
	const bound = Math.floor((mailingLength + urgentSends - 1) / perMinute) * 60_000;
	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: ['urgent: median', '95 of 100', 'longest', 'the mailing', 'over its bound'],
	});
	const times = [part(0.5), part(0.95), sorted.at(-1)!, long, long - bound];
	table.push(times.map((ms) => `${(ms / 1000).toFixed(1)} s`));
	console.log(table.toString());
	const isRight = part(0.95) <= longest && long - bound <= 60_000;
	if (!isRight) throw new Error('Urgent messages are not what they should be');
}

if (import.meta.main) await run();
