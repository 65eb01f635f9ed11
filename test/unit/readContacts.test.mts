import { expect, test } from '@jest/globals';
import { readContacts } from '../../nodes/CrmWorkspace/api/readContacts';
import type { Contact } from '../../nodes/CrmWorkspace/api/records';
import type { Client } from '../../nodes/CrmWorkspace/client/request';

interface Asked {
	page: number;
	limit: number;
}

const begun = '2026-01-31T08:00:00Z';
const longAgo = '2025-01-01T00:00:00Z';

const createContacts = (count: number, prefix = ''): Contact[] =>
	Array.from({ length: count }, (_, index) => ({
		...{ id: `${prefix}${index}`, createdAt: longAgo, updatedAt: longAgo },
	}));

/**
 * A service with these contacts.
 * @param change what others do before the second request
 */
function serve(contacts: Contact[], change = () => {}) {
	const asked: Asked[] = [];
	const announced: number[] = [];
	let underWay = 0;
	let most = 0;
	const request = async ({ query }: { query: Asked }) => {
		if (asked.push(query) === 2) change();
		most = Math.max(most, ++underWay);
		await new Promise((resolve) => setImmediate(resolve));
		underWay--;
		const { page, limit } = query;
		return {
			records: contacts.slice((page - 1) * limit, page * limit).map((one) => ({ ...one })),
			totalCount: contacts.length,
			totalPages: Math.ceil(contacts.length / limit),
			asOf: Date.parse(begun),
		};
	};
	const client = { request, announce: (pages: number) => announced.push(pages) };
	const read = async ({ limit = Infinity, concurrency = 1, search = '' } = {}) =>
		await readContacts(client as unknown as Client, { limit, concurrency, search });
	return { asked, announced, read, mostUnderWay: () => most };
}

// Interface: LIST-13.
test.each([
	[0, Infinity, [100], []],
	[100, Infinity, [100], []],
	[101, Infinity, [100, 100], [1]],
	[1000, 1, [1], []],
	[1000, 50, [50], []],
	[1000, 101, [100, 100], [1]],
	[1000, 250, [100, 100, 100], [2]],
])(
	'%d contacts with Limit %d take requests for %j, whose further pages are announced once: %j',
	async (count, limit, sizes, pages) => {
		const { asked, announced, read } = serve(createContacts(count));
		const { records, isSettled } = await read({ limit });
		expect(records.length).toBeGreaterThanOrEqual(Math.min(count, limit));
		expect(isSettled).toBe(true);
		expect(asked.map((one) => one.limit)).toEqual(sizes);
		expect(announced).toEqual(pages);
	},
);

test('no more requests are under way than Max Concurrent Requests', async () => {
	const { read, mostUnderWay } = serve(createContacts(3000));
	await read({ concurrency: 4 });
	expect(mostUnderWay()).toBe(4);
});

// Interface: LIST-14.
test.each<[string, (contacts: Contact[]) => unknown]>([
	['a contact is deleted', (all) => all.splice(5, 1)],
	['one is deleted and one is created', (all) => [all.splice(5, 1), all.push(created('new'))]],
	// By their dates alone, they would count as having been there, instead of the last ones.
	['old ones are restored', (all) => all.splice(150, 0, ...createContacts(2, 'restored '))],
	['the last page is deleted', (all) => all.splice(200)],
	['a page is created', (all) => all.unshift(...createContacts(100).map(({ id }) => created(id)))],
	['a page is updated', (all) => all.unshift(...all.splice(-100).map((one) => updated(one)))],
])('%s during the reading: all that stay come out once', async (_what, change) => {
	const contacts = createContacts(300, 'old ');
	const before = contacts.map(({ id }) => id);
	const { records, isSettled } = await serve(contacts, () => void change(contacts)).read();
	const ids = records.map(({ id }) => id);
	const now = new Set(contacts.map(({ id }) => id));
	expect(ids).toEqual(expect.arrayContaining(before.filter((id) => now.has(id))));
	expect(new Set(ids).size).toBe(ids.length);
	expect(isSettled).toBe(true);
});

test('a contact that is updated during the reading comes out once, as it is now', async () => {
	const contacts = createContacts(300);
	const change = () => contacts.push({ ...updated(contacts.shift()!), notes: 'new' });
	const { records } = await serve(contacts, change).read();
	expect(records.filter(({ id }) => id === '0')).toMatchObject([{ notes: 'new' }]);
});

// An update can make a contact match a search that it did not match before.
test.each([
	['created', '', [1, 2, 3, 1, 2, 3]],
	['updated', '', [1, 2, 3]],
	['updated', 'ada', [1, 2, 3, 1, 2, 3]],
])(
	'contacts just %s, searched for “%s”: pages %j are read to be certain',
	async (what, search, pages) => {
		const change = what === 'created' ? ({ id }: Contact) => created(id) : updated;
		const { asked, read } = serve(createContacts(300).map(change));
		expect((await read({ search })).isSettled).toBe(true);
		expect(asked.map(({ page }) => page)).toEqual(pages);
	},
);

function created(id: string): Contact {
	return { id, createdAt: begun, updatedAt: begun };
}

function updated(contact: Contact): Contact {
	return { ...contact, updatedAt: begun };
}
