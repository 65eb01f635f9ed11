/**
 * The send log: the messages that an execution has sent to one recipient with one credential, or
 * under one custom key. A send's index is its sequence number, from which its idempotency key is
 * made. A new number is given only once it is known what the service has under the last one, so the
 * service has something under each number but perhaps the last. Why no message is sent twice then,
 * even if a crash has lost the log, is explained in docs/design/deduplication.md.
 */
import type { KeyFinding } from '../../service/explanations';
import type { SendRequest } from '../../service/records';

/** What the service has under a number. */
export type SendState =
	/** The message or nothing, because no response has shown which. */
	| 'unconfirmed'
	/** The message. */
	| 'sent'
	/** The message, with an error that may not be final. */
	| 'sentWithError'
	/** The message, which it won't deliver. */
	| 'rejected'
	/** A send that failed, so nothing was delivered and the key is used up. */
	| 'failed'
	/** Other content, perhaps of this message before it changed. */
	| 'conflict';

/** By what the log knows a message. */
export interface Identity {
	/** The invocation of the node, and the item; the latest ones if the item was looped back. */
	invocation: string;
	item: number;
	/** A fingerprint of the message that the service has, or may have. */
	content: string;
}

/** One send. n8n stores it with the execution, so the property names must not change. */
export interface LoggedSend extends Identity {
	/** The sequence number: the index in the log. */
	number: number;
	state: SendState;
	/** Whether its item came out without an error. If not, it may be looped back to the node. */
	succeeded: boolean;
}

/** A message that is looked for. */
export interface SearchedMessage extends Identity {
	/** Present if an agent makes the call: see `Invocation.finishedCalls`. */
	finishedCalls?: WeakSet<LoggedSend>;
}

/** A send log in use. All runs of a process that use the same stored sends share it. */
export class SendLog {
	/** The message of the last send and its content, if this process knows them. */
	lastMessage?: { message: SendRequest; content: string };

	/** By invocation and item, and by content, so that a log of thousands isn't searched. */
	private readonly index = new Map<string, Set<LoggedSend>>();

	/** @param sends as n8n stores them */
	constructor(private readonly sends: LoggedSend[]) {
		for (const send of sends) this.addToIndex(send);
	}

	get last(): LoggedSend | undefined {
		return this.sends.at(-1);
	}

	/** Offers a message of a run, so that it can be sent again if it is the last one of the log. */
	offer(message: SendRequest, searched: SearchedMessage): void {
		const { last, lastMessage } = this;
		const isBetter = !lastMessage || searched.content === last?.content;
		const { content } = searched;
		if (last && isOwn(last, searched) && isBetter) this.lastMessage = { message, content };
	}

	/**
	 * The send that a message already has: its own, from an earlier attempt of its invocation, or that
	 * of an equal message whose item failed in another invocation and was looped back to the node.
	 */
	find(searched: SearchedMessage): LoggedSend | undefined {
		const own = this.ownSends(searched).find(({ state }) => state !== 'failed');
		return own ?? this.at(searched.content).find((send) => isLoopedBack(send, searched));
	}

	/** How many sends of a message have failed at the service. */
	countFailures(searched: SearchedMessage): number {
		return this.ownSends(searched).filter(({ state }) => state === 'failed').length;
	}

	/** Whether a call of an agent may be an unfinished one of its invocation in other words. */
	mayRewordEarlierCall({ invocation, finishedCalls }: SearchedMessage): boolean {
		const isUnfinished = (send: LoggedSend) =>
			send.invocation === invocation && !isUndelivered(send) && !finishedCalls?.has(send);
		return finishedCalls !== undefined && this.sends.some(isUnfinished);
	}

	/**
	 * Notes that a message is about to be sent, because n8n may store the log at any time.
	 * @param known the send that it has; without it, the message gets the next number
	 */
	begin(
		message: SendRequest,
		{ invocation, item, content }: Identity,
		known?: LoggedSend,
	): LoggedSend {
		const state = 'unconfirmed' as const;
		const number = this.sends.length;
		const next = { invocation, item, content, number, state, succeeded: false };
		const send = known ?? next;
		if (!known) this.sends.push(next);
		if (send.invocation !== invocation) Object.assign(send, { invocation, item });
		send.succeeded = false;
		if (send.state === 'unconfirmed') send.content = content;
		if (send === this.last) this.lastMessage = { message, content };
		this.addToIndex(send);
		return send;
	}

	/** Notes what the service has under the number of a send, after a response. */
	settle(send: LoggedSend, content: string, finding: SendFinding): SendResult {
		const { state, result } = resolveFinding(finding, send.state);
		send.state = state;
		if (result === 'accepted') send.content = content;
		this.addToIndex(send);
		return result;
	}

	/** Makes a number that was just given free again: its message hasn't arrived, or was refused. */
	withdraw(): void {
		this.sends.pop();
	}

	/** Those of an equal message first, because items may have exchanged their contents. */
	private ownSends(searched: SearchedMessage): LoggedSend[] {
		const { invocation, item, content } = searched;
		const known = [...this.at(content), ...this.at(createItemKey(invocation, item))];
		return [...new Set(known)].filter((send) => isOwn(send, searched));
	}

	/** The sends that have, or once had, this content or item. */
	private at(key: string): LoggedSend[] {
		return [...(this.index.get(key) ?? [])].filter((send) => this.sends[send.number] === send);
	}

	private addToIndex(send: LoggedSend): void {
		for (const key of [createItemKey(send.invocation, send.item), send.content]) {
			this.index.set(key, (this.index.get(key) ?? new Set()).add(send));
		}
	}
}

const createItemKey = (invocation: string, item: number) => `${invocation} ${item}`;

/** Whether a send is that of a message, from this attempt of its invocation or an earlier one. */
function isOwn(send: LoggedSend, searched: SearchedMessage): boolean {
	if (send.invocation !== searched.invocation) return false;
	const isEqual = send.content === searched.content;
	// The calls of an agent come in any order, and equal ones are messages of their own.
	if (searched.finishedCalls) return isEqual && !searched.finishedCalls.has(send);
	return isEqual || send.item === searched.item;
}

/** Whether a send is that of an equal message that was looped back to the node. */
function isLoopedBack(send: LoggedSend, { invocation, content }: Identity): boolean {
	const isEqual = send.content === content && send.invocation !== invocation;
	return isEqual && !send.succeeded && !isUndelivered(send);
}

/** Whether a message is certain not to be delivered, and may be sent under another number. */
function isUndelivered({ state }: LoggedSend): boolean {
	return state === 'rejected' || state === 'failed';
}

/** What a response shows: the state of an accepted message, or what a failure means for its key. */
export type SendFinding = 'sent' | 'sentWithError' | 'rejected' | KeyFinding;

/** What follows for the message. */
export type SendResult =
	| 'accepted'
	| 'changed'
	| 'nextNumber'
	| 'failedNow'
	| 'conflict'
	| 'unconfirmed'
	| 'refused';

/**
 * What follows from a finding: the table of docs/design/deduplication.md.
 * Interface: KEY-2, KEY-3, KEY-5, KEY-6.
 * @param before the state so far
 */
function resolveFinding(
	finding: SendFinding,
	before: SendState,
): { state: SendState; result: SendResult } {
	switch (finding) {
		case 'sent':
		case 'sentWithError':
		case 'rejected':
			return { state: finding, result: 'accepted' };
		case 'failed':
			return { state: 'failed', result: 'nextNumber' };
		case 'failedNow':
			return { state: 'failed', result: 'failedNow' };
		case 'otherContent':
			if (before === 'rejected') return { state: 'failed', result: 'nextNumber' };
			if (before === 'sent' || before === 'sentWithError')
				return { state: before, result: 'changed' };
			return { state: 'conflict', result: 'conflict' };
		case 'lost':
			return { state: before, result: 'unconfirmed' };
		case 'requestRejected':
		case 'untouched':
			return { state: before, result: 'refused' };
	}
}
