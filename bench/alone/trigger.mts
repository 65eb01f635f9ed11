import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { thinTrigger } from '../../test/support/engine/barePolls.mts';
import { build } from '../../tools/build.mts';
import type { Case, Figure, FurtherTable } from '../case.mts';

const pageSize = 100;
const second = 1000;

/** The orders of a list by what shows of them. */
const orders = {
	'by name': (one: Contact, other: Contact) => one.place - other.place,
	'by update, newest first': (one: Contact, other: Contact) => other.updatedAt - one.updatedAt,
	'by update, newest last': (one: Contact, other: Contact) => one.updatedAt - other.updatedAt,
};
type Order = keyof typeof orders;

/** Their orders, and whether they show dates. */
const lists: Array<[Order, isDated: boolean]> = [
	...Object.keys(orders).map((order): [Order, boolean] => [order as Order, true]),
	['by name', false],
];

interface Contact {
	number: number;
	place: number;
	createdAt: number;
	updatedAt: number;
}

/** What was measured of one trigger. */
interface Measured {
	bytes: number;
	/** Requests of the first poll, of one in which nothing happened, and of one with ten updates. */
	requests: number[];
	/** How long the poll of a whole walk computes, in ms. */
	computes: number;
}

/**
 * Requests and stored bytes of a trigger for created and updated contacts, without n8n around it. Beside
 * it is a schedule that reads all pages with HTTP Request.
 */
export const trigger: Case = {
	title: 'The trigger',
	async run({ isQuick, progress }) {
		await build();
		// The node's own waits keep no process alive, and there may be nothing else.
		const alive = setInterval(() => {}, second);
		const figures: Figure[] = [];
		const rows: FurtherTable['rows'] = [];
		for (const count of [1_000, 10_000, ...(isQuick ? [] : [50_000])]) {
			const contacts = count.toLocaleString('en');
			for (const [order, isDated] of lists) {
				const name = isDated ? order : 'without dates';
				progress(`${contacts} contacts, ${name}`);
				const { bytes, requests, computes } = await measure(count, order, isDated);
				const [first, nothing, updates] = requests;
				figures.push({
					name: `${contacts} contacts, ${name}: a poll in which nothing happened`,
					ours: nothing,
					other: count / pageSize,
					bound: null,
					unit: 'requests',
					atMost: { ofOther: 1 },
				});
				const size = `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
				rows.push([contacts, name, size, first, nothing, updates, `${Math.round(computes)} ms`]);
			}
		}
		clearInterval(alive);
		return {
			figures,
			tables: [{ title: 'What it keeps, and the requests of its polls', head, rows }],
		};
	},
};

const head = ['contacts', 'list', 'kept', 'first poll', 'nothing new', '10 updates', 'computes'];

async function measure(count: number, order: Order, isDated: boolean): Promise<Measured> {
	const contacts = contactsOf(count);
	let asked = 0;
	const trigger = thinTrigger(nodeType(), {
		parameters: { events: ['contactCreated', 'contactUpdated'], simplify: true, options: {} },
		answer(_path, { page, limit }) {
			asked++;
			return pageOf(contacts, { page: Number(page), limit: Number(limit), isDated });
		},
	});
	const requestsOf = async () => {
		const before = asked;
		await trigger.poll();
		return asked - before;
	};
	contacts.sort(orders[order]);
	const first = await requestsOf();
	const began = performance.now();
	await requestsOf();
	const computes = performance.now() - began;
	const nothing = await requestsOf();
	for (let index = 0; index < 10; index++) {
		contacts[Math.floor((index * count) / 10)].updatedAt = Date.now() - index * second;
	}
	contacts.sort(orders[order]);
	const updates = await requestsOf();
	return {
		bytes: Buffer.byteLength(JSON.stringify(trigger.stored())),
		requests: [first, nothing, updates],
		computes,
	};
}

/** Created a minute apart, and one in three updated since. */
function contactsOf(count: number): Contact[] {
	const youngest = Date.now() - 3600 * second;
	return Array.from({ length: count }, (_, number) => {
		const createdAt = youngest - (count - number) * 60 * second;
		const isUpdated = number % 3 === 0;
		const updatedAt = createdAt + (isUpdated ? (number * 7919) % (youngest - createdAt) : 0);
		return { number, place: (number * 2_654_435_761) % 4_294_967_296, createdAt, updatedAt };
	});
}

function pageOf(
	contacts: Contact[],
	{ page, limit, isDated }: { page: number; limit: number; isDated: boolean },
): string {
	const size = Math.min(limit, pageSize);
	const data = contacts
		.slice((page - 1) * size, page * size)
		.map((contact) => shown(contact, isDated));
	const totalPages = Math.ceil(contacts.length / size);
	const pagination = { page, limit: size, totalCount: contacts.length, totalPages };
	return JSON.stringify({ data, meta: { pagination } });
}

function shown({ number, createdAt, updatedAt }: Contact, isDated: boolean) {
	const date = (moment: number) => new Date(moment).toISOString();
	return {
		id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
		email: `person${number}@example.com`,
		firstName: 'Person',
		lastName: String(number),
		notes: isDated ? null : String(updatedAt),
		...(isDated && { createdAt: date(createdAt), updatedAt: date(updatedAt) }),
	};
}

function nodeType(): INodeType {
	const require = createRequire(import.meta.url);
	const file = resolve('dist/nodes/CrmWorkspace/CrmWorkspaceTrigger.node.js');
	return new (require(file).CrmWorkspaceTrigger)() as INodeType;
}
