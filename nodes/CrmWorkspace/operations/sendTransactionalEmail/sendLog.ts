/**
 * The send log: what an execution has sent to one recipient with one credential, or under one custom
 * key. It answers three questions about a message: is it in the log, what became of it, and which
 * number does it have. The number is the index in the log, from which the idempotency key is made.
 * docs/design/deduplication.md explains why no message is sent twice, even if a crash loses the log.
 */
import type { KeyFinding } from '../../service/explanations';
import type { Message } from '../../service/records';

/** What the service has under a number. */
export type SendState =
	/** One of the candidates, or nothing. Or a message that may not be delivered. */
	| 'open'
	/** The message. */
	| 'sent'
	/** The message, which it won't deliver. */
	| 'rejected'
	/** A send that failed, so nothing was delivered and the key is used up. */
	| 'failed'
	/** A message that this log doesn't know: n8n has lost an earlier log of the execution. */
	| 'conflict';

/** By what the log recognizes a message. n8n stores it, so the property names must not change. */
export interface LoggedMessage {
	/** Within which equal messages are one: an invocation, or the run of an agent. */
	scope: string;
	/** The invocation and the item. Absent for a call of an agent up to 2.2, which has no item. */
	source?: string;
	/** The node: either may change before a retry. */
	nodeId: string;
	nodeName: string;
	/** A fingerprint of the whole message. */
	content: string;
	/** A fingerprint of what the service compares. Interface: KEY-7. */
	rendered: string;
}

/** The send under one number. n8n stores it, so the property names must not change. */
export interface LoggedSend {
	number: number;
	state: SendState;
	/** The messages that were tried under this number; the one that is there, once that is known. */
	candidates: LoggedMessage[];
	/** What the service returned, once an item was output with it. */
	message?: Message;
	/** Whether the service had the message before this execution. */
	wasSentBefore?: boolean;
	/** The invocation that sent the message. */
	invocation?: string;
}

/** The log as a message finds it. */
export interface SendLog {
	sends: LoggedSend[];
	/** Whether n8n may have lost earlier sends, because it was killed. */
	mayMissSends: boolean;
}

/**
 * The send that a message has, or may have: the table of docs/design/deduplication.md.
 * @param calls the sends that this attempt of an agent up to 2.2 has come to; absent if none calls
 * @returns undefined if it has none, and gets the next number; 'ambiguous' if it may be one of several
 */
export function findSend(
	{ sends, mayMissSends }: SendLog,
	message: LoggedMessage,
	calls?: Set<LoggedSend>,
): LoggedSend | 'ambiguous' | undefined {
	const usable = sends.filter((send) => !isUsedUp(send, message));
	const own = usable.find((send) => hasEqual(send, message));
	const known = own ?? usable.find((send) => hasSource(send, message));
	if (known) return known;

	// A retried agent may say in other words what it has sent, until it has repeated that.
	const isUnrepeated = (send: LoggedSend) =>
		send.state === 'sent' && send.candidates[0].scope === message.scope && !calls?.has(send);
	if (calls && usable.some(isUnrepeated)) return 'ambiguous';

	const open = usable.filter(({ state }) => state === 'open');
	const maybe =
		open.find((send) => send.candidates.some(({ rendered }) => rendered === message.rendered)) ??
		usable.find(({ state }) => state === 'conflict');
	if (maybe) return maybe;
	const ofNode = open.filter((send) => send.candidates.some((one) => isSameNode(one, message)));
	if (ofNode.length === 1) return ofNode[0];
	// A lost log may have had this message under the open number, or under the next one.
	return ofNode.length > 1 || (mayMissSends && open.length > 0) ? 'ambiguous' : undefined;
}

/** How many sends of a message have failed at the service, or were rejected with other content. */
export function countFailures({ sends }: SendLog, message: LoggedMessage): number {
	const isOwn = (send: LoggedSend) => hasEqual(send, message) || hasSource(send, message);
	return sends.filter((send) => isUsedUp(send, message) && isOwn(send)).length;
}

/**
 * Notes that a message is about to be sent, because n8n may store the log at any time.
 * @param known the send that it may have; without it, the message gets the next number
 */
export function beginSend(
	{ sends }: SendLog,
	message: LoggedMessage,
	known?: LoggedSend,
): LoggedSend {
	const send = known ?? { number: sends.length, state: 'open', candidates: [] };
	if (!known) sends.push(send);
	const isNoted = ({ scope, source, content }: LoggedMessage) =>
		scope === message.scope && source === message.source && content === message.content;
	if (!send.candidates.some(isNoted)) send.candidates.push(message);
	return send;
}

/** What a response shows: the state of an accepted message, or what a failure means for its key. */
export type SendFinding = 'sent' | 'rejected' | 'open' | KeyFinding;

/** Notes what a response shows. Interface: KEY-2, KEY-3, KEY-5, KEY-6. */
export function settleSend(
	{ sends }: SendLog,
	send: LoggedSend,
	message: LoggedMessage,
	finding: SendFinding,
): void {
	switch (finding) {
		case 'sent':
		case 'rejected':
		case 'open':
			send.state = finding;
			send.candidates = [message];
			break;
		case 'failed':
		case 'failedNow':
			send.state = 'failed';
			break;
		case 'otherContent':
			send.candidates = send.candidates.filter(({ rendered }) => rendered !== message.rendered);
			if (send.candidates.length === 0) send.state = 'conflict';
			break;
		case 'lost':
			break;
		case 'requestRejected':
		case 'untouched':
			send.candidates = send.candidates.filter((one) => one !== message);
			// Messages of a log are sent one after another, so a new number is the last.
			if (send.candidates.length === 0 && send.state === 'open') sends.pop();
	}
}

/** Whether a message needs another number, because this one has delivered nothing and never will. */
function isUsedUp(send: LoggedSend, message: LoggedMessage): boolean {
	return send.state === 'failed' || (send.state === 'rejected' && !hasEqual(send, message));
}

function hasEqual({ candidates }: LoggedSend, { scope, content }: LoggedMessage): boolean {
	return candidates.some((one) => one.scope === scope && one.content === content);
}

function hasSource({ candidates }: LoggedSend, { source }: LoggedMessage): boolean {
	return source !== undefined && candidates.some((one) => one.source === source);
}

function isSameNode(one: LoggedMessage, other: LoggedMessage): boolean {
	return one.nodeId === other.nodeId || one.nodeName === other.nodeName;
}
