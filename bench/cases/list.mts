import type { N8n } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { crmNode, ProductionWorkflow } from '../../test/support/n8n/productionWorkflow.mts';
import { type Contestant, contestants, type Row } from '../case.mts';
import { listWithHttpRequest } from '../httpRequest.mts';
import { resultOf, runToEnd, startN8n } from '../started/n8n.mts';
import { startService } from '../started/service.mts';

const latencyMs = 50;

/**
 * All contacts as items, from a service without a rate limit. HTTP Request reads one page after
 * another with its pagination.
 */
export async function list(isQuick: boolean): Promise<Row[]> {
	const [small, large] = isQuick ? [1_000, 10_000] : [10_000, 100_000];
	const few = await measureBoth(small, isQuick ? 1 : 3);
	const many = await measureBoth(large, 1);
	const time = ({ ours, other }: typeof few) => ({
		...{ ours: ours.seconds, other: other.seconds, unit: 's' },
		atMost: 0.75 * other.seconds,
	});
	const memory = {
		...{ ours: many.ours.memory, other: many.other.memory, unit: 'MB' },
		atMost: 0.85 * many.other.memory,
	};
	const nameOf = (contacts: number) =>
		`Return All without a rate limit: ${contacts.toLocaleString('en')} contacts`;
	return [
		{ name: `${nameOf(small)}, ${latencyMs} ms per response`, figures: [time(few)] },
		{ name: `${nameOf(large)} (time, memory)`, figures: [time(many), memory] },
	];
}

async function measureBoth(contacts: number, runs: number) {
	const service = await startService(contacts, latencyMs);
	try {
		const measured = [];
		for (const who of contestants) {
			measured.push(await measure(who, service.baseUrl, contacts, runs));
		}
		return { ours: measured[0], other: measured[1] };
	} finally {
		await service.stop();
	}
}

/** The median time, in s, and the peak of the memory above an idle instance, in MB. */
async function measure(who: Contestant, baseUrl: string, contacts: number, runs: number) {
	const { n8n, memory, stop } = await startN8n();
	try {
		const nodes = await createNodes[who](n8n, baseUrl);
		const workflow = await ProductionWorkflow.activate(n8n, nodes);
		const { now: idle } = await memory();
		const times: number[] = [];
		let peak = 0;
		for (let run = 0; run < runs; run++) {
			const id = await runToEnd(n8n, workflow);
			peak ||= (await memory()).peak;
			const { seconds, items } = await resultOf(n8n, id);
			const ids = new Set(items.map(({ json }) => json.id));
			if (ids.size !== contacts) throw new Error(`${ids.size} of ${contacts} contacts`);
			times.push(seconds);
		}
		times.sort((one, other) => one - other);
		return { seconds: times[Math.floor(runs / 2)], memory: peak - idle };
	} finally {
		await stop();
	}
}

/** The nodes that list all contacts, and their credential. */
const createNodes = {
	async ours(n8n: N8n, baseUrl: string) {
		const service = { baseUrl, apiKey: 'sk_test_bench', requestsPerMinute: 100_000 };
		const credential = await createCredential(n8n, service, 'Bench');
		const parameters = { operation: 'list', returnAll: true, simplify: false };
		return [crmNode('Contacts', credential, parameters)];
	},
	async other(n8n: N8n, baseUrl: string) {
		const header = { name: 'Authorization', value: 'Bearer sk_test_bench' };
		const headerAuth = await n8n.createCredential('Bench', 'httpHeaderAuth', header);
		return listWithHttpRequest({ baseUrl, headerAuth });
	},
};
