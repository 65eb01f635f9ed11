import { describe, expect, test } from '@jest/globals';
import {
	reserveSend,
	findSend,
	commitSend,
	type LoggedMessage,
	type LoggedSend,
	type SendFinding,
	type SendLog,
} from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/sendLog';

/** A message in words: node, invocation, item and content, such as `Send 1.0 A`. */
function messageOf(words: string): LoggedMessage {
	const [node, place, content] = words.split(' ');
	const [invocation, item] = place.split('.');
	// After a colon stands what the service doesn't compare.
	const [rendered] = content.split(':');
	return {
		...{ scope: invocation, invocation, item: Number(item), content, rendered },
		...{ nodeId: node, nodeName: node },
	};
}

/** A log after messages were tried in order, each with what the response has shown. */
function logAfter(
	tried: Array<[words: string, finding: SendFinding]>,
	mayMissSends = false,
): SendLog {
	const log: SendLog = { sends: [], mayMissSends };
	for (const [words, finding] of tried) {
		const message = messageOf(words);
		const known = findSend(log, message);
		const send = reserveSend(log, message, known as LoggedSend | undefined);
		commitSend(log, send, message, finding);
	}
	return log;
}

const numberOf = (found: ReturnType<typeof findSend>) =>
	typeof found === 'object' ? found.number : found;

describe('the number of a message', () => {
	// docs/design/deduplication.md has the rules.
	test.each<[string, Array<[string, SendFinding]>, string, number | 'ambiguous' | undefined]>([
		['of its own', [['Send 1.0 A', 'sent']], 'Send 1.0 A', 0],
		['of its item, with other content', [['Send 1.0 A', 'lost']], 'Send 1.0 B', 0],
		['of the next one in another pass', [['Send 1.0 A', 'sent']], 'Send 2.0 A', undefined],
		['of one that failed', [['Send 1.0 A', 'failed']], 'Send 1.0 A', undefined],
		['of one that was refused', [['Send 1.0 A', 'untouched']], 'Send 1.0 B', undefined],
		['of an open one that is looped back', [['Send 1.0 A', 'lost']], 'Send 2.0 A', 0],
		['of an open one in other words', [['Send 1.0 A', 'lost']], 'Send 2.0 B', 0],
		['in place of an open one of its run', [['Send 1.0 A', 'lost']], 'Send 1.1 B', 0],
		['of a fallback', [['Send 1.0 A', 'lost']], 'Other 2.0 B', undefined],
		['of a fallback with equal text', [['Send 1.0 A', 'lost']], 'Other 2.0 A:x', 0],
		['of one of the node with equal text', [['Send 1.0 A', 'lost']], 'Send 2.0 A:x', 'ambiguous'],
		[
			'of the third item, if the first has its number for certain',
			[
				['Send 1.0 A', 'lost'],
				['Send 1.1 B', 'otherContent'],
			],
			'Send 1.2 C',
			undefined,
		],
		[
			'of one in other words, if it may be one of two',
			[
				['Send 1.0 A', 'lost'],
				['Send 1.1 B', 'otherContent'],
				['Send 1.1 B', 'lost'],
			],
			'Send 2.0 C',
			'ambiguous',
		],
		['of another item, after one with an error', [['Send 1.0 A', 'open']], 'Send 1.1 B', undefined],
		['of any after a conflict', [['Send 1.0 A', 'otherContent']], 'Other 2.0 B', 0],
	])('%s', (_what, tried, words, number) => {
		expect(numberOf(findSend(logAfter(tried), messageOf(words)))).toBe(number);
	});

	test.each<[SendFinding, 'ambiguous' | undefined]>([
		['lost', 'ambiguous'],
		['open', undefined],
	])('of a fallback, if n8n may have lost sends, after one that is %s', (finding, found) => {
		const log = logAfter([['Send 1.0 A', finding]], true);
		expect(findSend(log, messageOf('Other 2.0 B'))).toBe(found);
	});

	test('is not taken by another item for certain if n8n may have lost sends', () => {
		const log = logAfter(
			[
				['Send 1.0 A', 'lost'],
				['Send 1.1 B', 'lost'],
				['Send 1.0 A', 'otherContent'],
			],
			true,
		);
		expect(numberOf(findSend(log, messageOf('Send 1.0 A')))).toBe(0);
	});

	test('of what an agent says in other words isn’t the next one until it has repeated all', () => {
		const { sends } = logAfter([['Send 1.0 A', 'sent']]);
		const call = (words: string) => ({ ...messageOf(words), item: undefined });
		expect(findSend({ sends, mayMissSends: false, calls: new Set() }, call('Send 1.0 B'))).toBe(
			'ambiguous',
		);
		const calls = new Set(sends);
		expect(findSend({ sends, mayMissSends: false, calls }, call('Send 1.0 B'))).toBeUndefined();
	});
});
