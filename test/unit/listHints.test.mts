import { expect, test } from '@jest/globals';
import { ListHints } from '../../nodes/CrmWorkspace/operations/list/listHints';

const records = [{ id: '1' }, { id: '2' }];
const quiet = { records, totalCount: 2, isSettled: true, hasChanged: false };
const hintsOf = (note: (notes: ListHints) => void) => {
	const notes = new ListHints();
	note(notes);
	return notes.hints();
};

test('a list that stood still is worth no hint', () => {
	expect(hintsOf((notes) => notes.contactsRead(quiet))).toEqual([]);
});

test('a list that changed and was read again is told once, however many items read one', () => {
	const hints = hintsOf((notes) => {
		for (let item = 0; item < 3; item++) notes.contactsRead({ ...quiet, hasChanged: true });
	});
	expect(hints).toMatchObject([{ type: 'info', location: 'outputPane' }]);
	expect(hints[0].message).toContain('read again');
});

test('a list that did not settle is a warning, with why and how many were read', () => {
	const unsettled = { ...quiet, isSettled: false, hasChanged: true };
	const [hint, ...others] = hintsOf((notes) => notes.contactsRead({ ...unsettled, totalCount: 7 }));
	expect(others).toEqual([]);
	expect(hint.type).toBe('warning');
	expect(hint.message).toBe(
		'Some contacts may be missing: the list changed again and again while it was read. 2 were read. Run the workflow again at a quieter time, or list fewer with Search.',
	);

	const uncounted = { ...unsettled, totalCount: undefined };
	const [other] = hintsOf((notes) => notes.contactsRead(uncounted));
	expect(other.message).toContain('2 were read. ');
	const [unchanged] = hintsOf((notes) =>
		notes.contactsRead({ ...unsettled, hasChanged: false, totalCount: 7 }),
	);
	expect(unchanged.message).toContain(
		'the service does not show as many as it counts, 7. 2 were read',
	);
});

test.each<[number, number | undefined, number, boolean]>([
	[10, 40, Infinity, true],
	[10, 40, 11, true],
	[10, 40, 10, false],
	[40, 40, 50, false],
	[10, undefined, 50, false],
])('%d articles of %s, %d being wanted: a hint is %s', (count, total, limit, isTold) => {
	const hints = hintsOf((notes) => notes.articlesRead(count, total, limit));
	expect(hints).toHaveLength(Number(isTold));
	for (const { message, type } of hints) {
		expect(type).toBe('warning');
		expect(message).toContain(`found ${total} articles but returned only ${count}`);
	}
});
