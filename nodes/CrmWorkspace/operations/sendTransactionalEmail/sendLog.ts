/**
 * The send log: what an execution has sent to one recipient with one credential, under its own keys
 * or one custom key. It answers three questions about a message: is it in the log, what became of it, and which
 * number does it have. The number is the index in the log, from which the idempotency key is made.
 * docs/design/deduplication.md explains why no message is sent twice, even if a crash loses the log.
 */
import type { KeyFinding } from '../../api/idempotencyKeys';
import type { Message } from '../../api/records';

/** What the service has under a number. */
type SendState =
	/** One of the candidates, or nothing. Or a message that may not be delivered. */
	| 'open'
	/** The message. */
	| 'sent'
	/** The message, which it won't deliver. */
	| 'rejected'
	/** A send that failed, so nothing was delivered and the key is used up. */
	| 'failed'
	/** A message that this log doesn't know: another execution's, or n8n has lost an earlier log. */
	| 'conflict';

/**
 * By what the log recognizes a message. Those under a custom key all have the same scope, invocation
 * and item, because they are meant as one. n8n stores it, so the property names must not change.
 */
export interface LoggedMessage {
	/** Within which equal messages are one: an invocation, or the run of an agent. */
	scope: string;
	invocation: string;
	/** The index of the item. A call of an agent up to 2.2 has none. */
	item?: number;
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
	/** Whether one of the candidates is certainly there: it's neither another one nor nothing. */
	isTaken?: boolean;
	/** What the service returned for a message that was output. */
	message?: Message;
	/** The invocation that has sent it; absent if the service had it before this execution. */
	sentBy?: string;
}

/** The log as a message finds it. */
export interface SendLog {
	sends: LoggedSend[];
	/**
	 * Whether the retried execution may have sent others: n8n was killed before it stored the log, or
	 * another retry of that execution has sent them.
	 */
	mayMissSends: boolean;
	/** The sends that this attempt of an agent up to 2.2 has come to. Absent if none calls the node. */
	calls?: Set<LoggedSend>;
}

/**
 * The send that a message has, or may have. docs/design/deduplication.md has the rules.
 * @returns undefined if it has none, and gets the next number; 'ambiguous' if it may be one of several
 */
export function findSend(
	{ sends, mayMissSends, calls }: SendLog,
	message: LoggedMessage,
): LoggedSend | 'ambiguous' | undefined {
	const usable = sends.filter((send) => !isUsedUp(send, message));
	// Its own: that of an equal message, or of its item.
	const equalOne = usable.find((send) => hasEqual(send, message));
	const own = equalOne ?? usable.find((send) => hasItem(send, message));
	if (own) return own;

	// A retried agent may reword what it has sent, until it has repeated that call.
	const isUnrepeated = (send: LoggedSend) =>
		send.state === 'sent' && send.candidates[0].scope === message.scope && !calls?.has(send);
	if (calls && usable.some(isUnrepeated)) return 'ambiguous';

	// Without those that another item of this run has taken for certain.
	const open = usable.filter(
		(send) => send.state === 'open' && (!send.isTaken || mayBe(send, message)),
	);
	// One that the service can't distinguish from it, unless the node means another one.
	const isSame = (one: LoggedMessage) => one.rendered === message.rendered;
	const isMeant = (one: LoggedMessage) =>
		isSame(one) && (one.content === message.content || !isSameNode(one, message));
	const equal = open.find(({ candidates }) => candidates.some(isSame));
	if (equal) return equal.candidates.some(isMeant) ? equal : 'ambiguous';

	// One of which nothing is known.
	const conflict = usable.find(({ state }) => state === 'conflict');
	if (conflict) return conflict;

	// One of the same node, which is sent in its place, or may be it in other words.
	const ofNode = open.filter(({ candidates }) =>
		candidates.some((one) => isSameNode(one, message)),
	);
	if (ofNode.length === 1) return ofNode[0];
	const mayBeLost = mayMissSends && open.some(({ isTaken }) => !isTaken);
	return ofNode.length > 0 || mayBeLost ? 'ambiguous' : undefined;
}

/** How many sends of a message have failed at the service, or were rejected with other content. */
export function countFailures(log: SendLog, message: LoggedMessage): number {
	const isOwn = (send: LoggedSend) => hasEqual(send, message) || hasItem(send, message);
	return log.sends.filter((send) => isUsedUp(send, message) && isOwn(send)).length;
}

/** Whether the service may have a message under the number of a send, perhaps in other words. */
export function mayBe({ state, candidates }: LoggedSend, message: LoggedMessage): boolean {
	const isOtherItem = ({ invocation, item = message.item }: LoggedMessage) =>
		invocation === message.invocation && item !== message.item;
	return state === 'conflict' || candidates.some((one) => !isOtherItem(one));
}

/** Whether a message with other content was tried that the service can't distinguish from this one. */
export function hasTwin({ candidates }: LoggedSend, { rendered, content }: LoggedMessage): boolean {
	return candidates.some((one) => one.rendered === rendered && one.content !== content);
}

/**
 * Notes that a message is about to be sent, because n8n may store the log at any time.
 * @param known the send that it may have; without it, the message gets the next number
 */
export function reserveSend(
	{ sends, calls }: SendLog,
	message: LoggedMessage,
	known?: LoggedSend,
): LoggedSend {
	const send = known ?? { number: sends.length, state: 'open', candidates: [] };
	if (!known) sends.push(send);
	if (!hasEqual(send, message) || !hasItem(send, message)) send.candidates.push(message);
	calls?.add(send);
	return send;
}

/** What a response shows: the state of an accepted message, or what a failure means for its key. */
export type SendFinding = 'sent' | 'rejected' | 'open' | KeyFinding;

/** Notes what a response shows. Interface: KEY-2, KEY-3, KEY-5, KEY-6. */
export function commitSend(
	{ sends, mayMissSends }: SendLog,
	send: LoggedSend,
	message: LoggedMessage,
	finding: SendFinding,
): void {
	switch (finding) {
		case 'sent':
		case 'rejected':
		case 'open':
			Object.assign(send, { state: finding, candidates: [message], isTaken: true });
			break;
		case 'failed':
		case 'failedNow':
			send.state = 'failed';
			break;
		case 'otherContent':
			send.candidates = send.candidates.filter(({ content }) => content !== message.content);
			send.isTaken = !mayMissSends;
			if (send.candidates.length === 0) send.state = 'conflict';
			break;
		case 'lost':
			break;
		case 'untouched':
			// As `reserveSend` has added it, if no earlier attempt had.
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

function hasItem({ candidates }: LoggedSend, { invocation, item }: LoggedMessage): boolean {
	const isOf = (one: LoggedMessage) => one.invocation === invocation && one.item === item;
	return item !== undefined && candidates.some(isOf);
}

function isSameNode(one: LoggedMessage, other: LoggedMessage): boolean {
	return one.nodeId === other.nodeId || one.nodeName === other.nodeName;
}
