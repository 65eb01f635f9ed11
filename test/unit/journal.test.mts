import { describe, expect, test } from '@jest/globals';
import type { FailedAttempt } from '../../nodes/CrmWorkspace/transport/errors/failure';
import { Journal } from '../../nodes/CrmWorkspace/transport/journal';
import { answered, lost } from '../support/failed.mts';

const second = 1000;
const messages = (journal: Journal, allowed = 60, kept = 60) =>
	journal.hints(allowed, kept).map(({ message }) => message);

describe('hints', () => {
	test('a wait is told from one second on', () => {
		const journal = new Journal();
		journal.waited(0, second - 1, 60);
		expect(messages(journal)).toEqual([]);
		journal.waited(5 * second, 66 * second, 60);
		expect(messages(journal)).toEqual([
			'Waited 1 min 2 s to keep within 60 requests per minute, as the credential says',
		]);
	});

	test('the least that a credential in use allows is told', () => {
		const journal = new Journal();
		journal.waited(0, 60 * second, 1);
		journal.waited(60 * second, 90 * second, 30);
		expect(messages(journal)).toEqual([
			'Waited 1 min 30 s to keep within 1 requests per minute, as another credential in use with its API key says',
		]);
	});

	test('a wait of just a second is told, in the output panel, and none that took no time', () => {
		const journal = new Journal();
		journal.waited(0, second, 60);
		journal.waited(second, second, 1);
		journal.waited(0, second - 1, 1);
		expect(journal.hints(60, 60)).toEqual([
			{
				message: 'Waited 1 s to keep within 60 requests per minute, as the credential says',
				type: 'info',
				location: 'outputPane',
			},
		]);
	});

	test('waits at the same time count once', () => {
		const journal = new Journal();
		for (let i = 0; i < 5; i++) journal.waited(0, 10 * second, 60);
		journal.waited(5 * second, 12 * second, 60);
		expect(messages(journal)[0]).toContain('Waited 12 s ');
	});

	test('repeated requests are told with their reasons', () => {
		const journal = new Journal();
		journal.repeated(answered(503));
		journal.repeated(answered(503));
		journal.repeated(lost);
		expect(messages(journal)).toEqual([
			'Requests were made again after passing faults: 2 × HTTP 503, 1 × ECONNRESET',
		]);
	});

	test('refusals are told, and slowing down where it happened', () => {
		const journal = new Journal();
		journal.repeated(answered(429));
		const because = 'because of its rate limit, so something else seems to use the same API key';
		const advice = 'If it is other n8n processes, say in the credential how many there are';
		expect(messages(journal)).toEqual([`The service turned away a request ${because}. ${advice}`]);
		journal.repeated(answered(429));
		expect(messages(journal, 60, 30)).toEqual([
			`The service turned away 2 requests ${because}: the node keeps to 30 requests per minute for now. ${advice}`,
		]);
	});

	test('of what is put off without a reason, none is claimed', () => {
		const journal = new Journal();
		journal.repeated(answered(503, { askedWait: second }));
		journal.repeated(answered(503, { askedWait: 0 }));
		expect(messages(journal)).toEqual([
			'The service put off 2 requests for as long as it said (HTTP 503), because of its rate limit or of something else',
		]);
	});

	test.each<[string, FailedAttempt]>([
		['an answer that could not be read', { kind: 'garbled', statusCode: 200 }],
		['no answer', { kind: 'silent' }],
		['ETIMEDOUT', { kind: 'timedOut', networkCode: 'ETIMEDOUT' }],
	])('a repeated request has a reason although it has no status: %s', (reason, failed) => {
		const journal = new Journal();
		journal.repeated(failed);
		expect(messages(journal)).toEqual([
			`Requests were made again after passing faults: 1 × ${reason}`,
		]);
	});
});
