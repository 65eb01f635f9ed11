import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { Census, type ArrivalDates } from '../../nodes/CrmWorkspace/service/lists/census';

const begun = Date.parse('2026-01-31T08:00:00Z');
const dated = (id: string, secondsBefore: number, changedBefore = secondsBefore) => ({
	id,
	createdAt: new Date(begun - secondsBefore * 1000).toISOString(),
	updatedAt: new Date(begun - changedBefore * 1000).toISOString(),
});

const old = dated('old', 3600);
const other = dated('other', 3600);
const young = dated('young', 30);
const changed = dated('changed', 3600, 30);

interface Given {
	size?: number;
	asOf?: number;
	arrivalDates?: ArrivalDates;
	isKnown?: (record: IDataObject) => boolean;
}

/** A census of a list of two that began with one of them, and what it was then shown. */
function censusShown(records: IDataObject[], given: Given = {}): Census {
	const { size = 2, asOf = begun, arrivalDates = ['createdAt'], isKnown } = given;
	const census = new Census(arrivalDates, isKnown);
	census.beginRound({ records: [old], asOf: 'asOf' in given ? given.asOf : asOf }, size);
	census.add({ records });
	return census;
}

const isProven = (...given: Parameters<typeof censusShown>) => censusShown(...given).isProven;

describe('a census is proven', () => {
	test('once it has shown as many records as there were', () => {
		expect(isProven([])).toBe(false);
		expect(isProven([other])).toBe(true);
		expect(isProven([old])).toBe(false);
	});

	test('with those that the page of the moment itself shows, however young', () => {
		const census = new Census(['createdAt']);
		census.beginRound({ records: [young, other], asOf: begun }, 2);
		expect(census.isProven).toBe(true);
	});

	test.each([
		['a minute before', 61, true],
		['less than a minute before: another clock may date it', 59, false],
		['after it', -1, false],
	])('by a record that is dated %s', (_when, secondsBefore, is) => {
		expect(isProven([dated('one', secondsBefore)])).toBe(is);
	});

	test.each([
		['no date', undefined],
		['a day', '2020-01-01'],
		['a time of no zone', '2020-01-01T00:00:00'],
		['no moment', 'long ago'],
		['a number', 1_500_000_000_000],
	])('not by a record with %s', (_what, createdAt) => {
		expect(isProven([{ id: 'one', createdAt } as IDataObject])).toBe(false);
	});

	test('not by dates where the service does not tell its time', () => {
		expect(isProven([other], { asOf: undefined })).toBe(false);
	});

	test('with those of which all dates that can tell are earlier', () => {
		const arrivalDates = ['createdAt', 'updatedAt'] as const;
		expect(isProven([changed])).toBe(true);
		expect(isProven([changed], { arrivalDates })).toBe(false);
		expect(isProven([other], { arrivalDates })).toBe(true);
	});

	test('with those that are known from elsewhere', () => {
		expect(isProven([young], { isKnown: ({ id }) => id === 'young' })).toBe(true);
		expect(isProven([young], { isKnown: ({ id }) => id === 'other' })).toBe(false);
	});

	test('not with more than there were: then the service does not count what it shows', () => {
		expect(isProven([other, dated('third', 3600)])).toBe(false);
	});

	test('never, where nobody tells how many there are', () => {
		const census = new Census(['createdAt']);
		census.beginRound({ records: [old], asOf: begun });
		census.add({ records: [other] });
		expect(census.isProven).toBe(false);
	});
});

describe('another round', () => {
	/** The size of the list as another round begins with the first record of it. */
	const again = (census: Census, size = 2) =>
		census.beginRound({ records: [old], asOf: begun }, size);

	test('counts what an earlier one has shown, too', () => {
		const census = censusShown([young]);
		again(census);
		expect(census.isProven).toBe(false);
		census.add({ records: [young] });
		expect(census.isProven).toBe(true);
	});

	test('of a search does not count what has changed since: it may just have come to match', () => {
		const census = censusShown([young], { arrivalDates: ['createdAt', 'updatedAt'] });
		again(census);
		const updatedAt = new Date(begun).toISOString();
		census.add({ records: [{ ...young, updatedAt }] });
		expect(census.isProven).toBe(false);
		again(census);
		census.add({ records: [{ ...young, updatedAt }] });
		expect(census.isProven).toBe(true);
	});

	test('may show what the moment of an earlier one still lacked', () => {
		const census = censusShown([]);
		again(census, 9);
		census.add({ records: [other] });
		expect(census.isProven).toBe(true);
	});

	test('does not count what only an earlier one has shown: it may be gone', () => {
		const census = censusShown([other, young], { size: 4 });
		again(census, 2);
		expect(census.isProven).toBe(false);
	});
});

describe('the records of a census', () => {
	const recordsOf = (...pages: IDataObject[][]) => {
		const census = new Census(['createdAt']);
		for (const records of pages) census.beginRound({ records });
		return census.records();
	};

	test.each([
		['one date', 'then', 'then'],
		['no date', undefined, undefined],
		['a newer date', '2026-01-31T08:00:00Z', '2026-01-31T08:00:01Z'],
	])('are as the later answer has them: %s', (_what, before, after) => {
		const [one, other] = [
			{ id: 'a', name: 'x', updatedAt: before },
			{ id: 'a', name: 'y', updatedAt: after },
		];
		expect(recordsOf([one, old], [other])).toEqual([other, old]);
	});

	test('with an older date do not take the place of newer ones', () => {
		const newer = { id: 'a', updatedAt: '2026-01-31T08:00:01Z' };
		expect(recordsOf([newer], [{ id: 'a', updatedAt: '2026-01-31T08:00:00Z' }])).toEqual([newer]);
	});

	test('with a number for an id are told by it', () => {
		expect(recordsOf([{ id: 1, name: 'x' }], [{ id: 1, name: 'y' }])).toEqual([
			{ id: 1, name: 'y' },
		]);
	});

	test('without an id are told by their content', () => {
		const records = [{ name: 'x' }, { id: null, name: 'x' }, { id: 1 }];
		expect(recordsOf(records, [{ id: 1 }, { name: 'x' }, { name: 'y' }])).toEqual([
			...records,
			{ name: 'y' },
		]);
	});

	test('come once, though one answer holds them twice', () => {
		expect(recordsOf([old, old])).toEqual([old]);
	});
});

describe('a list was seen to change', () => {
	test.each<[string, boolean, (census: Census) => void]>([
		['not when the same comes again', false, (census) => census.beginRound({ records: [old] })],
		['when its size is another', true, (census) => census.add({ records: [], totalCount: 3 })],
		['when a later round shows more', true, (census) => census.beginRound({ records: [young] })],
	])('%s', (_when, has, happens) => {
		const census = new Census(['createdAt']);
		census.beginRound({ records: [old, other], totalCount: 2 }, 2);
		expect(census.hasChanged).toBe(false);
		happens(census);
		expect(census.hasChanged).toBe(has);
	});
});

// Interface: LIST-13, LIST-14.
test('whatever happens to a list between its pages, a census that is proven lacks nothing that stayed', () => {
	const act = fc.record({
		kind: fc.constantFrom('create', 'delete', 'reorder', 'look', 'look', 'look', 'begin'),
		at: fc.nat(9),
	});
	fc.assert(
		fc.property(
			fc.array(act, { minLength: 2, maxLength: 25 }),
			fc.integer({ min: -59, max: 59 }),
			fc.integer({ min: 1, max: 4 }),
			(acts, behind, pageSize) => {
				let now = begun;
				let made = 0;
				const list: Array<{ id: string; createdAt: string }> = [];
				const create = (at: number, age: number) => {
					const createdAt = new Date(now - (age + behind) * 1000).toISOString();
					list.splice(at % (list.length + 1), 0, { id: `${made++}`, createdAt });
				};
				for (let index = 0; index < 6; index++) create(index, 3600);
				const stayed = new Set(list);
				const census = new Census(['createdAt']);
				const page = (at: number) => ({
					records: list.slice(at % (list.length + 1)).slice(0, pageSize),
					asOf: now,
				});
				census.beginRound(page(0), list.length);
				let rounds = 1;
				for (const { kind, at } of acts) {
					now += 1000;
					if (kind === 'create') create(at, 0);
					if (kind === 'delete') list.splice(at, 1).forEach((gone) => stayed.delete(gone));
					if (kind === 'reorder') list.reverse();
					if (kind === 'look') census.add(page(at));
					if (kind === 'begin' && rounds++ < 20) census.beginRound(page(at), list.length);
					const seen = new Set(census.records().map(({ id }) => id));
					const lost = [...stayed].filter(({ id }) => !seen.has(id));
					if (census.isProven) expect(lost).toEqual([]);
				}
			},
		),
		{ numRuns: 3000 },
	);
});
