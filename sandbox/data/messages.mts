import { forEachMode, type Mode } from '../identity.mts';

/** The outcome of a message. */
export type Outcome = 'delivered' | 'bounced' | 'complained' | 'rejected' | 'failed';

/**
 * A stored message. Times are milliseconds since 1970 and can be in the future:
 * a message has reached a state when the clock has reached its time.
 */
export interface StoredMessage {
	id: string;
	outcome: Outcome;
	to: string;
	subject: string;
	html: string;
	text: string;
	templateSlug: string | null;
	from: string;
	fromName: string;
	replyTo: string | null;
	messageId: string | null;
	idempotencyKey: string | null;
	contactId: string | null;
	channelId: string;
	error: string | null;
	errorReason: string | null;
	createdAt: number;
	sentAt: number | null;
	deliveredAt: number | null;
	bouncedAt: number | null;
	complainedAt: number | null;
}

/** The messages of a workspace. */
interface Mail {
	byId: Map<string, StoredMessage>;
	byKey: Map<string, StoredMessage>;
	inbox: StoredMessage[];
}

/** The messages and the inbox of both workspaces. */
export class Messages {
	readonly #mail = forEachMode((): Mail => ({ byId: new Map(), byKey: new Map(), inbox: [] }));

	/** Keeps a message, and delivers it to the inbox unless it goes nowhere. */
	insert(mode: Mode, message: StoredMessage): void {
		const { byId, byKey, inbox } = this.#mail[mode];
		const { id, idempotencyKey, outcome } = message;
		byId.set(id, message);
		if (idempotencyKey !== null) byKey.set(idempotencyKey, message);
		if (outcome === 'delivered' || outcome === 'complained') inbox.push(message);
	}

	/** The message that was first sent with this idempotency key. Keys belong to a workspace. */
	withKey(mode: Mode, idempotencyKey: string): StoredMessage | undefined {
		return this.#mail[mode].byKey.get(idempotencyKey);
	}

	count(mode: Mode): number {
		return this.#mail[mode].byId.size;
	}

	all(mode: Mode): StoredMessage[] {
		return [...this.#mail[mode].byId.values()];
	}

	find(mode: Mode, id: string): StoredMessage | undefined {
		return this.#mail[mode].byId.get(id);
	}

	/** Every delivered message, in the order of delivery. */
	inbox(mode: Mode): readonly StoredMessage[] {
		return this.#mail[mode].inbox;
	}

	/** Empties the inbox, but keeps the messages and their keys. */
	emptyInbox(mode: Mode): void {
		this.#mail[mode].inbox = [];
	}
}
