import { crmNode } from '../../test/support/n8n/productionWorkflow.mts';
import { type Contestant, contestants, type Row } from '../case.mts';
import { listWithHttpRequest } from '../httpRequest.mts';
import { startInspected } from '../started/inspectedN8n.mts';
import { activate, resultOf, runToEnd, type SharedService, serviceFor } from '../started/run.mts';
import { type RunningService, startService } from '../started/service.mts';

/** In ms. */
const latency = 50;

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
	const nameOf = (contacts: number) => `Return All: ${contacts.toLocaleString('en')} contacts`;
	return [
		{
			name: `${nameOf(small)}, ${latency} ms per response`,
			isInReadme: true,
			figures: [time(few)],
		},
		{ name: `${nameOf(large)} (time, memory)`, figures: [time(many), memory] },
	];
}

async function measureBoth(contacts: number, runs: number) {
	const service = await startService(contacts, latency);
	try {
		const measured = [];
		for (const who of contestants) measured.push(await measure(who, service, contacts, runs));
		return { ours: measured[0], other: measured[1] };
	} finally {
		await service.stop();
	}
}

/** The median time, in s, and the peak of the memory above an idle instance, in MB. */
async function measure(
	who: Contestant,
	{ baseUrl }: RunningService,
	contacts: number,
	runs: number,
) {
	const { n8n, usage, stop } = await startInspected();
	try {
		const nodes = nodesOf(who, await serviceFor(n8n, baseUrl));
		const workflow = await activate(n8n, nodes);
		const { memory } = await usage();
		const times: number[] = [];
		let peak = 0;
		for (let run = 0; run < runs; run++) {
			const id = await runToEnd(n8n, workflow);
			peak ||= (await usage()).peak;
			const names = nodes.map(({ name }) => name);
			const { seconds, items } = await resultOf(n8n, id, names);
			const ids = new Set(items.map(({ json }) => json.id));
			if (ids.size !== contacts) throw new Error(`${ids.size} of ${contacts} contacts`);
			times.push(seconds);
		}
		times.sort((one, other) => one - other);
		return { seconds: times[Math.floor(runs / 2)], memory: peak - memory };
	} finally {
		await stop();
	}
}

function nodesOf(who: Contestant, service: SharedService) {
	if (who === 'other') return listWithHttpRequest(service);
	const parameters = { operation: 'list', returnAll: true, simplify: false };
	return [crmNode('Contacts', service.credential, parameters)];
}
