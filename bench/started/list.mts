import type { Workflow } from '../../playground/client.mts';
import { crmNode } from '../../test/support/n8n/productionWorkflow.mts';
import { contestants, type Case, type Figure } from '../case.mts';
import { listPagesWithHttpRequest, listWithHttpRequest } from '../httpRequest.mts';
import { startInspected, type InspectedN8n } from './inspected.mts';
import { startPagedService, type PagedService } from './pagedService.mts';
import {
	both,
	prepare,
	resultOf,
	runToEnd,
	serviceFor,
	type Contestant,
	type SharedService,
} from './run.mts';

const pageSize = 100;

/** How many pages this node reads at a time, as it comes and at most. */
const [concurrency, most] = [5, 20];

/** How many contacts there are, and how long the service takes for each answer, in ms. */
interface Size {
	contacts: number;
	latency: number;
}

/** What is promised of some sizes, as parts of what the other takes. */
const promises: Record<string, { time: number; memory: number }> = {
	'10,000 contacts, 50 ms': { time: 0.25, memory: 0.85 },
	'100,000 contacts, 5 ms': { time: 0.4, memory: 0.85 },
};

/**
 * All contacts as items, from a service without a rate limit. HTTP Request reads one page after the
 * other with its pagination or, in the last figure, as many at a time as this node can. Memory is the
 * peak of the first run above what n8n held before; time is the median of three runs up to 10,000 contacts.
 */
export const list: Case = {
	title: 'Return All',
	async run({ isQuick, progress }) {
		const sizes = [1_000, 10_000, ...(isQuick ? [] : [100_000])].flatMap((contacts) =>
			(isQuick ? [50] : [5, 50]).map((latency) => ({ contacts, latency })),
		);
		const figures: Figure[] = [];
		for (const size of sizes) {
			const name = nameOf(size);
			const came = await measure(size, (who) => progress(`${name}: ${contestants[who]}`));
			figures.push(...figuresOf(size, came));
		}
		figures.push(await sideBySide({ contacts: 10_000, latency: 50 }, progress));
		return { figures };
	},
};

/** What came of listing, with the memory added in MB, the block in ms, and the process's peak in MB. */
interface Came {
	seconds: number;
	requests: number;
	memory: number;
	block: number;
	peak: number;
}

/** Both with as many pages at a time as this node can have. */
async function sideBySide(size: Size, progress: (doing: string) => void): Promise<Figure> {
	const name = `${nameOf(size)}, ${most} pages at a time: time`;
	const { ours, other } = await measure(size, (who) => progress(`${name}: ${contestants[who]}`), {
		ours: ({ credential }) => [returnAll(credential, most)],
		other: (service) => listPagesWithHttpRequest(service, { batchSize: most, batchInterval: 1 }),
	});
	return {
		...{ name, ours: ours.seconds, other: other.seconds },
		bound: boundOf(size, most),
		unit: 's',
		atMost: { ofOther: 1 },
	};
}

async function measure(
	{ contacts, latency }: Size,
	begins: (who: Contestant) => void,
	nodes: NodesOf = nodesOf,
): Promise<Record<Contestant, Came>> {
	const paged = await startPagedService(contacts, latency);
	const came: Partial<Record<Contestant, Came>> = {};
	try {
		for (const who of both) {
			begins(who);
			const n8n = await startInspected();
			try {
				const service = await serviceFor(n8n, paged);
				came[who] = await listWith(n8n, nodes[who](service), paged, contacts);
			} finally {
				await n8n.stop();
			}
		}
	} finally {
		await paged.stop();
	}
	return came as Record<Contestant, Came>;
}

async function listWith(
	n8n: InspectedN8n,
	nodes: Workflow['nodes'],
	paged: PagedService,
	contacts: number,
): Promise<Came> {
	const workflow = await prepare(n8n, nodes);
	const seconds: number[] = [];
	const runOnce = async () => {
		paged.takeCount();
		const id = await runToEnd(n8n, workflow);
		const requests = paged.takeCount();
		return { id, requests };
	};
	const note = async ({ id, requests }: { id: string; requests: number }) => {
		const result = await resultOf(
			n8n,
			id,
			nodes.map(({ name }) => name),
		);
		const ids = new Set(result.items.map(({ json }) => json.id));
		if (ids.size !== contacts) throw new Error(`${ids.size} of ${contacts} contacts came`);
		seconds.push(result.seconds);
		return requests;
	};
	let first = { id: '', requests: 0 };
	const { before, peak, longestBlock } = await n8n.watch(async () => {
		first = await runOnce();
	});
	const requests = await note(first);
	for (let further = contacts > 10_000 ? 0 : 2; further > 0; further--) await note(await runOnce());
	const median = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)];
	return {
		seconds: median,
		requests,
		memory: Math.max(0, peak - before),
		block: longestBlock,
		peak,
	};
}

type NodesOf = Record<Contestant, (service: SharedService) => Workflow['nodes']>;

const nodesOf: NodesOf = {
	ours: ({ credential }) => [returnAll(credential, concurrency)],
	other: listWithHttpRequest,
};

function returnAll(credential: string, concurrency: number) {
	const parameters = { operation: 'list', returnAll: true, simplify: false };
	return crmNode('Contacts', credential, { ...parameters, options: { concurrency } });
}

function figuresOf(size: Size, { ours, other }: Record<Contestant, Came>): Figure[] {
	const name = nameOf(size);
	const { time, memory } = promises[name] ?? {};
	const { contacts } = size;
	const pages = contacts / pageSize;
	const figure = (what: keyof Came, words: string, unit: string): Figure => ({
		...{ name: `${name}: ${words}`, ours: ours[what], other: other[what], bound: null, unit },
	});
	return [
		{
			...figure('seconds', 'time', 's'),
			bound: boundOf(size, concurrency),
			atMost: { ofOther: time },
		},
		{ ...figure('requests', 'requests', 'requests'), bound: pages, atMost: { ofBound: 1 } },
		{ ...figure('memory', 'memory added', 'MB'), atMost: { ofOther: memory } },
		{
			...figure('peak', 'memory of the whole n8n', 'MB'),
			atMost: { ofOther: contacts >= 100_000 ? memory : undefined },
		},
		figure('block', 'longest block of n8n', 'ms'),
	];
}

/** The least time, in s, in which so many pages can be read, so many at a time after the first. */
function boundOf({ contacts, latency }: Size, atATime: number): number {
	const rounds = 1 + Math.ceil((contacts / pageSize - 1) / atATime);
	return (rounds * latency) / 1000;
}

function nameOf({ contacts, latency }: Size): string {
	return `${contacts.toLocaleString('en')} contacts, ${latency} ms`;
}
