import { expect, test } from '@jest/globals';
import { beganAt } from '../../nodes/CrmWorkspace/service/serviceTime';

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
		expect(beganAt({ date }, took)).toBe(noon + after);
	},
);

test.each([{}, { date: 'soon' }, { date: '' }])('an answer with %j does not tell', (headers) => {
	expect(beganAt(headers, 0)).toBeUndefined();
});
