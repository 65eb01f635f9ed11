import { crmNode } from '../../test/support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox } from '../../test/support/sandbox/sandbox.mts';
import { contestants, type Case, type Figure } from '../case.mts';
import { sendWithHttpRequest, updateWithHttpRequest } from '../httpRequest.mts';
import { startInspected, type InspectedN8n } from './inspected.mts';
import { byOwner } from './profile.mts';
import {
	both,
	prepare,
	resultOf,
	rowsNode,
	runToEnd,
	serviceFor,
	type Contestant,
	type SharedService,
} from './run.mts';

/** What is done with each row. */
const works = { send: 'sends', update: 'updates' } as const;
type Work = keyof typeof works;

/** HTTP Request without batches would open 10,000 connections at once. */
const batch = { batchSize: 20, batchInterval: 1 };

/**
 * CPU time of n8n's whole process, storing the execution included, divided by the items. The service
 * responds at once. Both nodes make 20 requests at a time, and have the key in a credential, which n8n
 * decrypts for HTTP Request once per item.
 */
export const computing: Case = {
	title: 'CPU time of an item',
	async run({ isQuick, progress }) {
		const count = isQuick ? 500 : 10_000;
		const sandbox = await startSandbox([
			...['--contacts', String(count), '--requests-per-minute', '0'],
		]);
		const n8n = await startInspected();
		try {
			const measured: Measured[] = [];
			for (const work of Object.keys(works) as Work[]) {
				const rows = await rowsOf(work, sandbox, count);
				for (const who of both) {
					progress(`${count.toLocaleString('en')} ${works[work]}: ${contestants[who]}`);
					measured.push({ work, who, ...(await measure(n8n, { sandbox, work, who, rows })) });
				}
			}
			return reportOf(measured);
		} finally {
			await n8n.stop();
			await sandbox.stop();
		}
	},
};

/** CPU time of an item in ms, in all and by whose work it is. */
interface Measured {
	work: Work;
	who: Contestant;
	each: number;
	owners: Map<string, number>;
}

interface Run {
	sandbox: RunningSandbox;
	work: Work;
	who: Contestant;
	rows: object[];
}

async function measure(n8n: InspectedN8n, { sandbox, work, who, rows }: Run) {
	const { baseUrl, testKey: apiKey } = sandbox;
	const node = nodeOf(work, who, await serviceFor(n8n, { baseUrl, apiKey }));
	const workflow = await prepare(n8n, [rowsNode(rows), node]);
	const runOnce = async () => {
		const { items } = await resultOf(n8n, await runToEnd(n8n, workflow), [node.name]);
		if (items.length !== rows.length) throw new Error(`${items.length} of ${rows.length} came`);
		await sandbox.control('DELETE', '/requests');
	};
	const owners = byOwner(await n8n.profile(runOnce));
	const { computed } = await n8n.watch(async () => void (await runToEnd(n8n, workflow)));
	for (const [owner, ms] of owners) owners.set(owner, ms / rows.length);
	return { each: computed / rows.length, owners };
}

function nodeOf(work: Work, who: Contestant, service: SharedService) {
	if (who === 'other') {
		if (work === 'send') return sendWithHttpRequest(service, batch);
		return updateWithHttpRequest(service, ['jobTitle'], batch);
	}
	const ours = {
		send: {
			operation: 'sendTransactionalEmail',
			to: '={{ $json.to }}',
			templateSlug: 'welcome',
			variables: { variable: [{ name: 'firstName', value: 'Ada' }] },
		},
		update: {
			operation: 'updateContact',
			contact: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			fields: {
				mappingMode: 'defineBelow',
				value: { jobTitle: '={{ $json.jobTitle }}' },
				matchingColumns: [],
				schema: [],
			},
		},
	};
	const options = { concurrency: batch.batchSize };
	return crmNode('CRM', service.credential, { ...ours[work], simplify: false, options });
}

async function rowsOf(work: Work, sandbox: RunningSandbox, count: number): Promise<object[]> {
	if (work === 'send') {
		return Array.from({ length: count }, (_, index) => ({ to: `person${index}@example.com` }));
	}
	const { data } = await sandbox.control('GET', '/contacts');
	return data.map(({ id }: { id: string }) => ({ id, jobTitle: 'Promoted' }));
}

function reportOf(measured: Measured[]) {
	const of = (work: Work, who: Contestant) =>
		measured.find((one) => one.work === work && one.who === who)!;
	const figures = (Object.keys(works) as Work[]).map(
		(work): Figure => ({
			name: `${works[work]}: CPU time of an item`,
			ours: of(work, 'ours').each,
			other: of(work, 'other').each,
			bound: null,
			unit: 'ms',
			atMost: { ofOther: 1 },
		}),
	);
	const owners = [...new Set(measured.flatMap((one) => [...one.owners.keys()]))];
	const shown = (one: Measured, owner: string) => Number((one.owners.get(owner) ?? 0).toFixed(3));
	return {
		figures,
		tables: [
			{
				title: 'Where it goes, in ms of an item, by samples of the main thread',
				head: ['', ...measured.map(({ work, who }) => `${contestants[who]}, ${works[work]}`)],
				rows: owners.map((owner) => [owner, ...measured.map((one) => shown(one, owner))]),
			},
		],
	};
}
