import { describe, expect, test } from '@jest/globals';
import type { Page } from '../../nodes/CrmWorkspace/service/answers';
import {
	PageReader,
	refuseTooMany,
	SenselessPages,
} from '../../nodes/CrmWorkspace/service/pageReader';
import type { PageRequest } from '../../nodes/CrmWorkspace/service/pages';

const old = '2025-01-01T00:00:00Z';
const recordsOf = (...ids: string[]) => ids.map((id) => ({ id, createdAt: old, updatedAt: old }));

/** A reader that begins with a page, and what it asks for then. */
function readerOf(first: Page, answers: Array<Partial<Page>> = []) {
	const asked: PageRequest[] = [];
	const fetchPage = async (request: PageRequest): Promise<Page> => {
		const answer = answers[asked.length] ?? answers.at(-1);
		asked.push(request);
		return { ...first, ...answer };
	};
	const arrivalDates = ['createdAt'] as const;
	const reader = new PageReader(
		{ fetchPage, limit: Infinity, concurrency: 1, arrivalDates },
		first,
	);
	return { reader, asked };
}

describe('the most records on a page', () => {
	test.each<[string, Partial<Page>, number]>([
		['are those of the first page, where a count tells that it is cut', { totalCount: 9 }, 2],
		['so, where a number of pages tells it', { totalPages: 5, limit: 100 }, 2],
		['are what the service says, where nothing else tells', { limit: 100 }, 100],
		['are no fewer than came', { limit: 1 }, 2],
		['are as many as came, where nothing tells', {}, 2],
	])('%s', (_what, told, pageSize) => {
		expect(readerOf({ records: recordsOf('a', 'b'), ...told }).reader.pageSize).toBe(pageSize);
	});
});

describe('the list has changed', () => {
	const first = { records: recordsOf('a', 'b'), totalCount: 4 };

	test('when a page counts otherwise than the first one', () => {
		const { reader } = readerOf(first);
		reader.take({ records: recordsOf('c'), totalCount: 4 });
		reader.take({ records: recordsOf('d') });
		expect(reader.hasChanged).toBe(false);
		reader.take({ records: recordsOf('e'), totalCount: 5 });
		reader.take({ records: recordsOf('f'), totalCount: 4 });
		expect(reader.hasChanged).toBe(true);
	});
});

describe('another pass', () => {
	const first = { records: recordsOf('a', 'b'), totalCount: 4, asOf: Date.parse(old) };

	test('begins with the first page as it is then, and knows what was seen before', async () => {
		const { reader, asked } = readerOf(first, [{ records: recordsOf('b', 'c'), totalCount: 3 }]);
		reader.take({ records: recordsOf('d') });
		await reader.beginAgain();
		expect(asked).toEqual([{ page: 1, limit: 2 }]);
		expect(reader.first.records).toEqual(recordsOf('b', 'c'));
		expect(reader.hasChanged).toBe(true);
		reader.take({ records: recordsOf('d') });
		expect(reader.pass.isComplete(Infinity)).toBe(true);
		expect((await reader.everything()).records()).toEqual(recordsOf('b', 'c', 'd', 'a'));
	});

	test('goes by the end of the pass before, where the first page does not count', async () => {
		const silent = { records: recordsOf('a', 'b') };
		const { reader } = readerOf(silent);
		reader.noteEnd(3);
		reader.noteEnd(undefined);
		await reader.beginAgain();
		expect(reader.counted).toEqual({ records: [], totalCount: 3 });
		await reader.beginAgain();
		expect(reader.counted).toEqual(silent);
	});

	test('goes by its first page, where that counts', async () => {
		const { reader } = readerOf(first);
		reader.noteEnd(3);
		await reader.beginAgain();
		expect(reader.counted.totalCount).toBe(4);
	});

	test('reads its beginning once more when it has to', async () => {
		const { reader, asked } = readerOf(first, [{ records: recordsOf('x', 'a') }]);
		expect((await reader.readFirst()).records).toEqual(recordsOf('x', 'a'));
		expect(asked).toEqual([{ page: 1, limit: 2 }]);
		expect(reader.pass.seen.has({ id: 'x' })).toBe(true);
	});
});

describe('a page of records that were there before', () => {
	const first = { records: recordsOf('a', 'b'), totalCount: 9 };
	const again = { records: recordsOf('b', 'a') };

	test('is refused when the service sends it whatever page it is asked for', async () => {
		const { reader, asked } = readerOf(first, [again]);
		const refused = reader.refuseRepetition({ page: 4, limit: 2 }, { ...first, ...again });
		await expect(refused).rejects.toThrow(SenselessPages);
		await expect(refused).rejects.toThrow(/as page 4, so the list would never end/);
		expect(asked.map(({ page }) => page)).toEqual([3, 4, 3, 4]);
		expect(asked.every(({ limit }) => limit === 2)).toBe(true);
	});

	test.each<[string, Array<Partial<Page>>, number]>([
		['other records', [{ records: recordsOf('a', 'x') }], 1],
		['the same in another order', [{ records: recordsOf('a', 'b') }], 1],
		['another count', [{ ...again, totalCount: 8 }], 1],
		['other records at last', [again, again, again, { records: recordsOf('x', 'y') }], 4],
	])('is a coincidence where it then sends %s', async (_what, answers, requests) => {
		const { reader, asked } = readerOf(first, answers);
		for (const page of [2, 3]) {
			await reader.refuseRepetition({ page, limit: 2 }, { ...first, ...again });
		}
		expect(asked).toHaveLength(requests);
	});

	test.each<[string, PageRequest, Page['records']]>([
		['the first page', { page: 1, limit: 2 }, recordsOf('a', 'b')],
		['not full', { page: 2, limit: 3 }, recordsOf('a', 'b')],
		['empty', { page: 2, limit: 0 }, []],
		['new in part', { page: 2, limit: 2 }, recordsOf('a', 'x')],
	])('is no reason to ask where it is %s', async (_what, request, records) => {
		const { reader, asked } = readerOf(first, [again]);
		await reader.refuseRepetition(request, { ...first, records });
		expect(asked).toEqual([]);
	});
});

test('more records than fit into memory are refused', () => {
	expect(() => refuseTooMany(1_000_000)).not.toThrow();
	expect(() => refuseTooMany(1_000_001)).toThrow(SenselessPages);
	expect(() => refuseTooMany(Infinity)).toThrow(/more than 1,000,000 records.*set a Limit/);
});
