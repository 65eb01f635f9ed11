import './harness/simulatedTime.mts';
import { test } from '@jest/globals';
import fc from 'fast-check';
import { randomFrom } from '../../sandbox/random.mts';
import { passUntilDone } from './harness/clock.mts';
import { Contacts, orders } from './harness/contacts.mts';
import { maybe, weighted, type Drawn } from './harness/draw.mts';
import { beginAnew, check } from './harness/model.mts';
import { credential, runThin, type Ran } from './harness/node.mts';
import { Service } from './harness/service.mts';
import { Violation } from './harness/violation.mts';

/** What other users do before a request for a page is answered. */
const change = fc.record({
	kind: fc.constantFrom(...(['create', 'delete', 'update'] as const)),
	/** In hundredths of the list. */
	where: fc.oneof(fc.constantFrom(0, 50, 100), fc.nat(100)),
	count: weighted([6, 1], [2, 2], [1, 5], [1, 30]),
	/** Before which request, from 0, after how many more again, and how often in all. */
	at: fc.oneof(fc.nat(3), fc.nat(40)),
	every: fc.integer({ min: 1, max: 12 }),
	times: weighted([6, 1], [2, 2], [1, 5], [1, 40]),
});

/** A list of contacts, the service that has it, and what happens while the node reads it. */
const history = fc.record({
	contacts: fc.oneof({ weight: 8, arbitrary: fc.nat(40) }, { weight: 1, arbitrary: fc.nat(300) }),
	pageSize: weighted([2, 3], [2, 5], [1, 10], [1, 99]),
	order: fc.constantFrom(...orders),
	/** How long ago the youngest contact was created, and how far apart they were, in ms. */
	youngest: weighted([3, 86_400_000], [2, 600_000], [1, 60_000], [1, 5_000], [1, 50]),
	apart: fc.constantFrom(3_600_000, 1_000, 10, 0),
	dates: weighted<'ms' | 'none'>([6, 'ms'], [1, 'none']),
	/** How far the clock of the `Date` header is ahead of that of the contacts; null without it. */
	dateAhead: weighted<number | null>([6, 0], [2, 50_000], [2, -50_000], [2, null]),
	longestLatency: fc.constantFrom(50, 2_000),
	/** The node searches, and a created contact is an older one that now matches. */
	hasSearch: weighted([3, false], [1, true]),
	limit: maybe(fc.integer({ min: 1, max: 50 }), 4),
	concurrency: fc.constantFrom(1, 5, 20),
	changes: fc.array(change, { maxLength: 5 }),
	chance: fc.nat(1_000_000),
});

type History = Drawn<typeof history>;

/** Older than that, a contact certainly was there, whichever clock of the service shows it, in ms. */
const certainlyOld = 120_000;

let plays = 0;

test('a contact that is there the whole time is listed once, or a hint says that some may be missing', async () => {
	await check({ history, play, runs: 1000 });
});

async function play(one: History): Promise<void> {
	beginAnew(one.chance, one.chance % 1000);
	const contacts = new Contacts(one, randomFrom(one.chance));
	contacts.fill(one.contacts, one.youngest, one.apart);
	const service = new Service({
		...{ contacts, dateAhead: one.dateAhead },
		latency: () => (Math.random() * one.longestLatency) / 2,
		arrives: (_asked, number) => void changeContacts(one, contacts, number),
	});
	const ran = await passUntilDone(list(one, service));
	checkRecords(one, contacts, ran);
	if (contacts.now === 0) checkRequests(one, service.log.length, ran);
	checkWhole(one, contacts, ran);
}

/** Does what others do before a request. */
function changeContacts({ changes, hasSearch }: History, contacts: Contacts, request: number) {
	for (const { at, every, times, kind, ...which } of changes) {
		const since = request - at;
		if (since < 0 || since % every !== 0 || since / every >= times) continue;
		contacts.act({ ...which, kind: kind === 'create' && hasSearch ? 'match' : kind });
	}
}

async function list({ limit, hasSearch, concurrency }: History, service: Service): Promise<Ran> {
	const parameters = {
		...{ operation: 'list', collection: 'contacts', returnAll: limit === undefined, limit },
		// That all contacts contain.
		filters: hasSearch ? { search: 'c' } : {},
		...{ simplify: false, options: { concurrency } },
	};
	return await runThin({
		...{ items: [{}], parameters: () => parameters },
		ask: async (request) => await service.ask(request),
		own: { getCredentials: async () => ({ ...credential, apiKey: `sk_test_${++plays}` }) },
	});
}

const isUnsettled = ({ hints }: Ran) => hints.some((hint) => hint.includes('may be missing'));

function checkRecords(
	{ limit = Infinity }: History,
	contacts: Contacts,
	{ all, error }: Ran,
): void {
	if (error) throw new Violation('no error without a reason', error);
	const ids = all.map(({ id }) => String(id));
	if (new Set(ids).size < ids.length) throw new Violation('no contact twice', ids.join(' '));
	if (ids.length > limit) throw new Violation('no more than the limit', `${ids.length}`);
	for (const record of all) {
		const shown = JSON.stringify(record);
		const isShown = contacts.findVersions(String(record.id)).some(({ json }) => json === shown);
		if (!isShown) throw new Violation('nothing made up', shown);
	}
}

/** Where nothing changes, each page is requested once, and no hint suspects anything. */
function checkRequests(one: History, requests: number, ran: Ran): void {
	const { contacts, limit = Infinity, pageSize } = one;
	if (isUnsettled(ran)) throw new Violation('hints are true', 'nothing changed');
	const pages = Math.max(1, Math.ceil(Math.min(contacts, limit) / pageSize));
	if (isCertain(one) && requests !== pages) {
		throw new Violation('one request a page', `${requests} requests for ${pages} pages`);
	}
}

/** Interface: LIST-13, LIST-14. */
function checkWhole(one: History, contacts: Contacts, ran: Ran): void {
	// Which contacts come first may change: any will do.
	if (ran.all.length === one.limit) return;
	if (isUnsettled(ran) && contacts.now <= 1 && isCertain(one)) {
		throw new Violation('it comes to know', 'after one change, a pass finds all that is there');
	}
	const listed = new Set(ran.all.map(({ id }) => String(id)));
	const isSteady = (id: string) =>
		!contacts.timelines.during(id, { from: 0, to: contacts.now }).includes(undefined);
	const lost = [...contacts.timelines.all.keys()].filter((id) => isSteady(id) && !listed.has(id));
	if (lost.length > 0 && !isUnsettled(ran)) {
		throw new Violation('nothing is lost without a hint', `${lost.join(' ')} not in the output`);
	}
}

/** Whether the service shows enough to be certain of a list that doesn't change. */
function isCertain({ dateAhead, dates, youngest }: History): boolean {
	return dateAhead !== null && dates === 'ms' && youngest >= certainlyOld;
}
