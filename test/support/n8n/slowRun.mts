import { type Execution, type N8n, until } from '../../../playground/client.mts';
import { createCredential } from '../../../playground/examples.mts';
import { crmNode, ProductionWorkflow } from './productionWorkflow.mts';
import { httpAnswer, startRawServer } from '../sandbox/rawServer.mts';
import { items, people, welcome } from './sending.mts';

/** An execution that sends to three people one after another, and has no answer to its first send. */
export interface SlowRun {
	/** Its ID. */
	execution: string;
	/** Lets the service answer from now on, and waits for the end. */
	end(): Promise<Execution>;
	/** Whom the service was asked to send to, once for each idempotency key, in this order. */
	recipients(): string[];
	stop(): Promise<void>;
}

/** Begins it, and waits until its first send is at the service. */
export async function beginSlowRun(n8n: N8n): Promise<SlowRun> {
	let answer!: () => void;
	const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
	const sent = httpAnswer('{"data":{"id":"1","status":"sent"}}');
	const service = await startRawServer((socket) => void mayAnswer.then(() => socket.end(sent)));
	const { baseUrl, requests } = service;
	const own = { baseUrl, apiKey: `sk_test_${crypto.randomUUID()}`, requestsPerMinute: 6000 };
	const credential = await createCredential(n8n, own, 'Slow');
	const parameters = { ...welcome, options: { concurrency: 1, timeout: 300 } };
	const send = crmNode('CRM', credential, parameters);
	const workflow = await ProductionWorkflow.activate(n8n, [items(people(3)), send]);
	const execution = await workflow.begin();
	await until('the first send', 30, async () => requests.length > 0 || undefined);
	return {
		execution,
		async end() {
			answer();
			return await n8n.ended(execution);
		},
		recipients() {
			const bodies = requests.map((one) => JSON.parse(one.slice(one.indexOf('\r\n\r\n'))));
			const byKey = new Map(bodies.map(({ idempotencyKey, to }) => [idempotencyKey, to]));
			return [...byKey.values()];
		},
		stop: service.stop,
	};
}
