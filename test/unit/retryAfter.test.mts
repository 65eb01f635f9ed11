import { expect, test } from '@jest/globals';
import { askedWait } from '../../nodes/CrmWorkspace/transport/http/retryAfter';

const now = Date.UTC(2026, 0, 15, 12, 0, 0);
const year = 365 * 86_400_000;

// Interface: OPEN-18.
test.each<[string, unknown, number | undefined]>([
	['nothing', undefined, undefined],
	['seconds', '30', 30_000],
	['seconds with a fraction', '0.5', 500],
	['seconds with a long fraction', '1.25', 1250],
	['seconds with white space', ' 30 ', 30_000],
	['zero', '0', 0],
	['a year in seconds', '31536000', year],
	['a date', 'Thu, 15 Jan 2026 12:01:00 GMT', 60_000],
	['an ISO date', '2026-01-15T12:01:00Z', 60_000],
	['a date in the past', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
	['a date in a year', 'Fri, 15 Jan 2027 12:00:00 GMT', year],
	['nonsense', 'soon', undefined],
	['words in which a date could be seen', 'in 5 minutes', undefined],
	['a negative number', '-5', undefined],
	['an empty text', '', undefined],
	['white space', ' ', undefined],
	['a number', 30, undefined],
	['several at once', ['1', '2'], undefined],
])('%s', (_what, value, expected) => {
	expect(askedWait({ 'retry-after': value }, now)).toBe(expected);
});

// Services send these with every answer: they ask for nothing.
test.each(['ratelimit-reset', 'x-ratelimit-reset', 'x-retry-after'])(
	'no other header asks to wait: %s',
	(name) => {
		expect(askedWait({ [name]: '9' }, now)).toBeUndefined();
		expect(askedWait({ [name]: '9', 'retry-after': '1' }, now)).toBe(1000);
	},
);

test('a moment counts by the clock of the service, if it tells it', () => {
	const headers = { 'retry-after': 'Thu, 15 Jan 2026 13:00:30 GMT' };
	const date = 'Thu, 15 Jan 2026 13:00:00 GMT';
	expect(askedWait({ ...headers, date }, now)).toBe(30_000);
	for (const untold of ['today', '', undefined]) {
		expect(askedWait({ ...headers, date: untold }, now)).toBe(3_630_000);
	}
});
