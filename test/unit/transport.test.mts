import { expect, test } from '@jest/globals';
import { parseRetryAfter } from '../../nodes/CrmWorkspace/client/attempt';
import { parseThrown } from '../../nodes/CrmWorkspace/n8n/http';

test.each([
	['unreachable', { code: 'ENOTFOUND' }],
	['unreachable', { code: 'ETIMEDOUT', syscall: 'connect' }],
	['noResponse', { code: 'ECONNABORTED' }],
	['noResponse', { httpCode: 'ECONNRESET' }],
	['untrusted', { cause: { code: 'CERT_HAS_EXPIRED' } }],
	['notSent', { message: 'blocked', httpCode: '403' }],
])('a request is %s by what n8n and its HTTP client throw: %j', (kind, error) => {
	expect(parseThrown(error)).toMatchObject({ kind });
});

// Interface: OPEN-18.
test('Retry-After is a number of seconds or a date', () => {
	expect(parseRetryAfter({ 'retry-after': '2.5' })).toBe(2500);
	expect(parseRetryAfter({ 'retry-after': 'soon' })).toBeUndefined();
	expect(parseRetryAfter({ 'retry-after': '' })).toBeUndefined();
	expect(parseRetryAfter({})).toBeUndefined();
	expect(parseRetryAfter({ 'x-ratelimit-reset': '2', 'ratelimit-reset': '2' })).toBeUndefined();
	expect(parseRetryAfter({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })).toBe(0);
	const inAMinute = new Date(Date.now() + 60_000).toUTCString();
	expect(parseRetryAfter({ 'retry-after': inAMinute })).toBeGreaterThan(30_000);
	// By the clock of the service, which is years ahead or behind.
	const [date, later] = ['Wed, 21 Oct 2015 07:28:00 GMT', 'Wed, 21 Oct 2015 07:28:02 GMT'];
	expect(parseRetryAfter({ date, 'retry-after': later })).toBe(2000);
});
