import { describe, expect, test } from '@jest/globals';
import {
	afterFailure,
	afterWrite,
	asRead,
	changesSince,
	knows,
	unread,
} from '../../nodes/CrmWorkspace/operations/updateContact/knownContact';

const ada = asRead({ id: '1', jobTitle: 'Analyst', phone: '1', updatedAt: 'then' });

test('of a contact that was read what it shows is known, of one that was not nothing is', () => {
	expect(knows(ada, { jobTitle: 'x', phone: 'x' })).toBe(true);
	expect(knows(asRead({ id: '1', notes: null }), { notes: 'x' })).toBe(true);
	expect(knows(ada, { jobTitle: 'x', notes: 'x' })).toBe(false);
	expect(knows(unread('1'), { jobTitle: 'x' })).toBe(false);
});

describe('after an update', () => {
	test('the record is what was known, written and answered, the later over the earlier', () => {
		const answer = { id: '1', notes: 'as the service has it', updatedAt: 'now' };
		const written = { jobTitle: 'Countess', notes: 'as written' };
		expect(afterWrite(ada, written, answer, false).record).toEqual({
			...{ id: '1', jobTitle: 'Countess', phone: '1' },
			...{ notes: 'as the service has it', updatedAt: 'now' },
		});
	});

	test.each([true, false])('other fields are known if they kept their values: %j', (kept) => {
		const after = afterWrite(ada, { jobTitle: 'Countess' }, { id: '1', notes: null }, kept);
		expect(knows(after, { jobTitle: 'x' })).toBe(true);
		expect(knows(after, { notes: 'x' })).toBe(true);
		expect(knows(after, { phone: 'x' })).toBe(kept);
		expect(knows(after, { company: 'x' })).toBe(false);
	});

	test('what was not known before is not known because it was kept', () => {
		const after = afterWrite(unread('1'), { jobTitle: 'Countess' }, {}, true);
		expect(knows(after, { phone: 'x' })).toBe(false);
	});
});

test('after a failure the last known values stay, and none is certain', () => {
	const after = afterFailure(ada);
	expect(after.record).toEqual(ada.record);
	expect(knows(after, { jobTitle: 'x' })).toBe(false);
});

test('changes are told of fields that can be set; what was not known before has no old value', () => {
	const before = { ...ada, certain: new Set(['jobTitle', 'phone']) };
	const written = { jobTitle: 'Countess', notes: 'x', tags: [] };
	const after = afterWrite(before, written, { id: '1', updatedAt: 'now', company: 'y' }, true);
	expect(changesSince(before, after, written)).toEqual({
		jobTitle: { old: 'Analyst', new: 'Countess' },
		notes: { new: 'x' },
		tags: { new: [] },
	});
	expect(changesSince(unread('1'), after, written)).toBeUndefined();
});
