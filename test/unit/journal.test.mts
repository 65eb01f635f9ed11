import { describe, expect, test } from '@jest/globals';
import type { FailedAttempt } from '../../nodes/CrmWorkspace/transport/errors/failure';
import { Journal } from '../../nodes/CrmWorkspace/transport/journal';
import { answered, lost } from '../support/simulated/attempts.mts';

const second = 1000;
const pace = { allowed: 60, requestsPerMinute: 60 };
const messages = (journal: Journal) => journal.hints(60).map(({ message }) => message);

describe('hints', () => {
	test('a wait is told from one second on, in the output panel', () => {
		const journal = new Journal();
		journal.permitted(0, second - 1, pace);
		expect(journal.hints(60)).toEqual([]);
		journal.permitted(5 * second, 5 * second + 1, pace);
		expect(journal.hints(60)).toEqual([
			{
				message: 'Waited 1 s to keep within 60 requests per minute, as the credential says',
				type: 'info',
				location: 'outputPane',
			},
		]);
	});

	test('the least that was allowed and kept to while one waited is told', () => {
		const journal = new Journal();
		journal.permitted(0, 60 * second, { allowed: 30, requestsPerMinute: 1 });
		journal.permitted(60 * second, 90 * second, { allowed: 20, requestsPerMinute: 20 });
		journal.permitted(90 * second, 90 * second, { allowed: 1, requestsPerMinute: 0 });
		expect(messages(journal)).toEqual([
			expect.stringMatching(/^Waited 1 min 30 s, .*: the node kept to 1 request per minute/),
		]);
	});

	test('waits at the same time count once', () => {
		const journal = new Journal();
		for (let i = 0; i < 5; i++) journal.permitted(0, 10 * second, pace);
		journal.repeated(answered(429), 4 * second, 2 * second);
		journal.permitted(5 * second, 12 * second, pace);
		expect(messages(journal)[0]).toContain(': the run waited 12 s. ');
	});

	test('the pause before a request that was refused is a wait, that after a fault is none', () => {
		const journal = new Journal();
		journal.repeated(lost, 0, 10 * second);
		journal.repeated(answered(429), 10 * second, 5 * second);
		journal.repeated(answered(503, { askedWait: 0 }), 20 * second, 2 * second);
		expect(messages(journal)).toEqual([
			expect.stringMatching(
				/^The service turned away a request because of its rate limit, and put off a request \(HTTP 503\): the run waited 7 s\. Perhaps /,
			),
			'Requests were made again after passing faults: 1 × ECONNRESET',
		]);
	});

	test('what got through counts from the first request that was asked for', () => {
		const journal = new Journal();
		journal.letThrough(0);
		journal.permitted(0, 10 * second, pace);
		journal.repeated(answered(429), 10 * second, 0);
		journal.permitted(10 * second, 50 * second, pace);
		for (let at = 55; at <= 60; at++) journal.letThrough(at * second);
		expect(messages(journal)[0]).toContain(
			'the run waited 50 s, and 7 requests a minute got through',
		);
	});

	test('repeated requests are told with their reasons', () => {
		const journal = new Journal();
		journal.repeated(answered(503), 0, second);
		journal.repeated(answered(503), 0, second);
		journal.repeated(lost, 0, second);
		expect(messages(journal)).toEqual([
			'Requests were made again after passing faults: 2 × HTTP 503, 1 × ECONNRESET',
		]);
	});

	test.each<[string, FailedAttempt]>([
		['an answer that could not be read', { kind: 'garbled', statusCode: 200 }],
		['no answer', { kind: 'silent' }],
		['ETIMEDOUT', { kind: 'timedOut', networkCode: 'ETIMEDOUT' }],
	])('a repeated request has a reason although it has no status: %s', (reason, failed) => {
		const journal = new Journal();
		journal.repeated(failed, 0, second);
		expect(messages(journal)).toEqual([
			`Requests were made again after passing faults: 1 × ${reason}`,
		]);
	});
});
