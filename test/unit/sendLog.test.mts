import { expect, test } from '@jest/globals';
import {
	countFailures,
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
function logAfter(tried: string, mayMissSends = false): SendLog {
	const log: SendLog = { sends: [], mayMissSends };
	for (const words of tried.split(', ')) {
		const message = messageOf(words);
		const known = findSend(log, message);
		const send = reserveSend(log, message, known as LoggedSend | undefined);
		commitSend(log, send, message, words.split(' ')[3] as SendFinding);
	}
	return log;
}

const numberOf = (found: ReturnType<typeof findSend>) =>
	typeof found === 'object' ? found.number : found;

// docs/design/deduplication.md has the rules.
test.each([
	['its own', 'Send 1.0 A sent', 'Send 1.0 A', 0],
	['that of its item, with other content', 'Send 1.0 A lost', 'Send 1.0 B', 0],
	['the next one in another pass', 'Send 1.0 A sent', 'Send 2.0 A', undefined],
	['the next one after one that failed', 'Send 1.0 A failed', 'Send 1.0 A', undefined],
	['the next one after a rejected one', 'Send 1.0 A rejected', 'Send 1.0 B', undefined],
	['that of the rejected one if it is equal', 'Send 1.0 A rejected', 'Send 1.0 A', 0],
	['the next one after one that was refused', 'Send 1.0 A untouched', 'Send 1.0 B', undefined],
	['that of an open one that is looped back', 'Send 1.0 A lost', 'Send 2.0 A', 0],
	['that of an open one in other words', 'Send 1.0 A lost', 'Send 2.0 B', 0],
	['that of an open one of its run', 'Send 1.0 A lost', 'Send 1.1 B', 0],
	['the next one as a fallback', 'Send 1.0 A lost', 'Other 2.0 B', undefined],
	['that of a fallback with equal text', 'Send 1.0 A lost', 'Other 2.0 A:x', 0],
	['none with equal text of the node', 'Send 1.0 A lost', 'Send 2.0 A:x', 'ambiguous'],
	[
		'the next one, if the first item has its number for certain',
		'Send 1.0 A lost, Send 1.1 B otherContent',
		'Send 1.2 C',
		undefined,
	],
	[
		'none, if it may be one of two in other words',
		'Send 1.0 A lost, Send 1.1 B otherContent, Send 1.1 B lost',
		'Send 2.0 C',
		'ambiguous',
	],
	['the next one after an item with an error', 'Send 1.0 A open', 'Send 1.1 B', undefined],
	['that of any after a conflict', 'Send 1.0 A otherContent', 'Other 2.0 B', 0],
])('a message gets %s', (_what, tried, words, number) => {
	expect(numberOf(findSend(logAfter(tried), messageOf(words)))).toBe(number);
});

test.each([
	['Send 1.0 A lost', 'Other 2.0 B', 'ambiguous'],
	['Send 1.0 A open', 'Other 2.0 B', undefined],
	// The second item hasn't taken it for certain.
	['Send 1.0 A lost, Send 1.1 B lost, Send 1.0 A otherContent', 'Send 1.0 A', 0],
])('if n8n may have lost sends, after %s, a message %s gets %s', (tried, words, number) => {
	expect(numberOf(findSend(logAfter(tried, true), messageOf(words)))).toBe(number);
});

test('what an agent says in other words isn’t the next message until it has repeated all', () => {
	const { sends } = logAfter('Send 1.0 A sent');
	const reworded = { ...messageOf('Send 1.0 B'), item: undefined };
	const find = (calls: LoggedSend[]) =>
		findSend({ sends, mayMissSends: false, calls: new Set(calls) }, reworded);
	expect(find([])).toBe('ambiguous');
	expect(find(sends)).toBeUndefined();
});

test.each([
	['Send 1.0 A failed', 'Send 1.0 A', 1],
	['Send 1.0 A failed, Send 1.0 A failed', 'Send 1.0 A', 2],
	['Send 1.0 A rejected', 'Send 1.0 B', 1],
	['Send 1.0 A failed, Send 1.1 B failed', 'Send 1.2 C', 0],
])('after %s, of a message %s have failed: %s', (tried, words, count) => {
	expect(countFailures(logAfter(tried), messageOf(words))).toBe(count);
});
