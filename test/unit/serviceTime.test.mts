import { expect, test } from '@jest/globals';
import { computeStart, isOlder } from '../../nodes/CrmWorkspace/api/formats';

const date = 'Thu, 15 Jan 2026 12:00:10 GMT';
const noon = Date.UTC(2026, 0, 15, 12);

test.each([
	['at once', 0, 10_000],
	['half a second', 500, 9000],
	['a second', 1000, 9000],
	['a little more', 1001, 8000],
	['a time that cannot be, as by a clock that was set', -5000, 10_000],
])(
	'an answer that took %s is no older than the second in which it was asked for',
	(_what, took, after) => {
		expect(computeStart({ date }, took)).toBe(noon + after);
	},
);

test.each([{}, { date: 'soon' }, { date: '' }])('an answer with %j does not tell', (headers) => {
	expect(computeStart(headers, 0)).toBeUndefined();
});

test.each([
	['an hour before', '2026-01-15T11:00:00.000Z', true],
	['an hour before, in whole seconds', '2026-01-15T11:00:00Z', true],
	['an hour before, in another time zone', '2026-01-15T13:00:00+02:00', true],
	['an hour before, in the same one', '2026-01-15T11:00:00-0000', true],
	['more than two clocks differ in', '2026-01-15T11:59:49.999Z', true],
	['what two clocks may differ in', '2026-01-15T11:59:50Z', false],
	['at once', '2026-01-15T12:00:00Z', false],
	['after it', '2026-01-15T12:00:01Z', false],
	['never', null, false],
	['at no moment', '2026-01-15T25:00:00Z', false],
	['in words', 'an hour ago', false],
	['as a number', noon - 3_600_000, false],
])('a record is older than a request where it was made %s', (_when, createdAt, older) => {
	expect(isOlder(createdAt, noon)).toBe(older);
	expect(isOlder(createdAt, undefined)).toBe(false);
});
