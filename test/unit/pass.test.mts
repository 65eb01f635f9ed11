import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../../nodes/CrmWorkspace/service/answers';
import { momentOf, Pass, type ArrivalDates } from '../../nodes/CrmWorkspace/service/pass';
import { RecordSet, setOf } from '../../nodes/CrmWorkspace/service/recordSet';

const began = Date.parse('2026-01-31T08:00:00Z');
const before = '2026-01-31T07:59:59Z';
const then = '2026-01-31T08:00:00Z';

const old = { id: 'old', createdAt: before, updatedAt: before };
const other = { id: 'other', createdAt: before, updatedAt: before };
const young = { id: 'young', createdAt: then, updatedAt: then };
const changed = { id: 'changed', createdAt: before, updatedAt: then };

interface Given {
	totalCount?: number;
	asOf?: number;
	earlier?: RecordSet;
	arrivalDates?: ArrivalDates;
	isKnown?: (record: IDataObject) => boolean;
}

/** A pass that began with one record of a list of two, and what it was then shown. */
function passShown(records: IDataObject[], given: Given = {}): Pass {
	const { earlier = new RecordSet(), arrivalDates = ['createdAt'], isKnown } = given;
	const origin: Page = { records: [old], totalCount: 2, asOf: began, ...given };
	const pass = new Pass(origin, earlier, arrivalDates, isKnown);
	pass.take(origin);
	pass.take({ records });
	return pass;
}

const isComplete = (...given: Parameters<typeof passShown>) =>
	passShown(...given).isComplete(Infinity);

describe('a pass is complete', () => {
	test('once it has shown as many records as there were', () => {
		expect(isComplete([])).toBe(false);
		expect(isComplete([other])).toBe(true);
		expect(isComplete([old])).toBe(false);
	});

	test('without those that came after it began', () => {
		expect(isComplete([young])).toBe(false);
		expect(isComplete([young, other])).toBe(true);
	});

	test('with those of which all dates that can tell are earlier', () => {
		const arrivalDates = ['createdAt', 'updatedAt'] as const;
		expect(isComplete([changed])).toBe(true);
		expect(isComplete([changed], { arrivalDates })).toBe(false);
		expect(isComplete([other], { arrivalDates })).toBe(true);
	});

	test('with those that were there before, in just this state', () => {
		expect(isComplete([young], { earlier: setOf([young]) })).toBe(true);
		expect(isComplete([{ ...young, updatedAt: before }], { earlier: setOf([young]) })).toBe(false);
	});

	test('with those that are known from elsewhere', () => {
		expect(isComplete([young], { isKnown: ({ id }) => id === 'young' })).toBe(true);
		expect(isComplete([young], { isKnown: ({ id }) => id === 'other' })).toBe(false);
	});

	test('by the dates of its records, where the service does not tell the time', () => {
		expect(isComplete([other], { asOf: undefined })).toBe(false);
		const earlier = { ...other, createdAt: '2026-01-31T07:59:58Z' };
		expect(isComplete([earlier], { asOf: undefined })).toBe(true);
	});

	test('with as many as are wanted', () => {
		expect(passShown([]).isComplete(1)).toBe(true);
		expect(passShown([]).isComplete(2)).toBe(false);
	});

	test('never, where nobody tells how many there are', () => {
		expect(isComplete([other], { totalCount: undefined })).toBe(false);
		expect(passShown([other], { totalCount: undefined }).isComplete(2)).toBe(true);
	});
});

test('a pass knows all that it was shown, and what its count began with', async () => {
	expect(await passShown([young, other]).records()).toEqual([old, young, other]);
	const origin = { records: [old], totalCount: 2 };
	const pass = new Pass(origin, new RecordSet(), ['createdAt']);
	pass.take({ records: [other] });
	expect(await pass.records()).toEqual([other, old]);
});

test.each<[string, Page, number]>([
	['as the service tells it', { records: [young], asOf: 7 }, 7],
	['by the latest date of its records', { records: [old, changed, other] }, began],
	['by a date of creation', { records: [{ createdAt: then, updatedAt: before }] }, began],
	['whatever is no date', { records: [{ createdAt: 'soon' }, {}, old] }, began - 1000],
	['that nothing tells', { records: [{}] }, -Infinity],
])('the moment of a page, %s', (_how, page, moment) => {
	expect(momentOf(page)).toBe(moment);
});
