import { describe, expect, test } from '@jest/globals';
import { askedWait } from '../../nodes/CrmWorkspace/transport/retryAfter';

const now = Date.UTC(2026, 0, 15, 12, 0, 0);
const year = 365 * 86_400_000;

// Interface: OPEN-18.
test.each<[string, Record<string, unknown>, number | undefined]>([
	['nothing', {}, undefined],
	['seconds', { 'retry-after': '30' }, 30_000],
	['seconds with a fraction', { 'retry-after': '0.5' }, 500],
	['seconds with white space', { 'retry-after': ' 30 ' }, 30_000],
	['zero', { 'retry-after': '0' }, 0],
	['a year in seconds', { 'retry-after': '31536000' }, year],
	['a date', { 'retry-after': 'Thu, 15 Jan 2026 12:01:00 GMT' }, 60_000],
	['an ISO date', { 'retry-after': '2026-01-15T12:01:00Z' }, 60_000],
	['a date in the past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
	['a date in a year', { 'retry-after': 'Fri, 15 Jan 2027 12:00:00 GMT' }, year],
	['nonsense', { 'retry-after': 'soon' }, undefined],
	['words in which a date could be seen', { 'retry-after': 'in 5 minutes' }, undefined],
	['a negative number', { 'retry-after': '-5' }, undefined],
	['an empty text', { 'retry-after': '' }, undefined],
	['white space', { 'retry-after': ' ', 'ratelimit-reset': '9' }, 9000],
	['seconds with a long fraction', { 'retry-after': '1.25' }, 1250],
	['a reset with white space', { 'ratelimit-reset': ' 9 ' }, 9000],
	['an empty reset', { 'ratelimit-reset': '' }, undefined],
	['a reset that makes no sense', { 'ratelimit-reset': 'soon' }, undefined],
	['several at once', { 'retry-after': ['1', '2'] }, undefined],
	['a reset in seconds left', { 'ratelimit-reset': '12' }, 12_000],
	['a reset of the other name', { 'x-ratelimit-reset': '12' }, 12_000],
	['a reset as a moment in s', { 'x-ratelimit-reset': `${now / 1000 + 45}` }, 45_000],
	['a reset as a moment in ms', { 'x-ratelimit-reset': `${now + 45_000}` }, 45_000],
	['a reset in the past', { 'x-ratelimit-reset': `${now / 1000 - 45}` }, 0],
	['a reset as a date', { 'x-ratelimit-reset': 'Thu, 15 Jan 2026 12:00:10 GMT' }, 10_000],
	['Retry-After before a reset', { 'retry-after': '1', 'ratelimit-reset': '9' }, 1000],
	['a reset after nonsense', { 'retry-after': 'soon', 'ratelimit-reset': '9' }, 9000],
])('%s', (_what, headers, expected) => {
	expect(askedWait({ statusCode: 429, headers }, now)).toBe(expected);
});

describe('a reset header that comes with every answer', () => {
	const reset = { 'x-ratelimit-reset': `${now / 1000 + 300}` };

	test.each([500, 502, 504, 408])('is no wish to wait in an answer of %d', (statusCode) => {
		expect(askedWait({ statusCode, headers: reset }, now)).toBeUndefined();
		const headers = { ...reset, 'retry-after': '7' };
		expect(askedWait({ statusCode, headers }, now)).toBe(7000);
	});

	test.each<[string | undefined, number | undefined]>([
		[undefined, 300_000],
		['0', 300_000],
		['12', undefined],
	])('nor in a 503, unless the limit may be its reason: %s requests left', (left, expected) => {
		for (const name of ['x-ratelimit-remaining', 'ratelimit-remaining']) {
			expect(askedWait({ statusCode: 503, headers: { ...reset, [name]: left } }, now)).toBe(
				expected,
			);
		}
	});
});

test.each([
	['retry-after', 'Thu, 15 Jan 2026 13:00:30 GMT'],
	['x-ratelimit-reset', `${(now + 3_630_000) / 1000}`],
])('a moment counts by the clock of the service: %s', (name, moment) => {
	const headers = { [name]: moment, date: 'Thu, 15 Jan 2026 13:00:00 GMT' };
	expect(askedWait({ statusCode: 429, headers }, now)).toBe(30_000);
	expect(askedWait({ statusCode: 429, headers: { ...headers, date: 'today' } }, now)).toBe(
		3_630_000,
	);
});
