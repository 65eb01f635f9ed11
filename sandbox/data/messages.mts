import type { DatabaseSync } from 'node:sqlite';

import type { Mode } from '../identity.mts';

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

/** A message without its content, which may be long. */
export type MessageSummary = Omit<StoredMessage, 'html' | 'text'>;

/** Which messages to show; undelivered ones bounced, failed or were rejected. */
export const messageChoices = ['inbox', 'all', 'undelivered'] as const;
export type MessageChoice = (typeof messageChoices)[number];

const chosen: Record<MessageChoice, string> = {
	inbox: 'id IN (SELECT messageId FROM inbox WHERE inbox.mode = messages.mode)',
	all: 'TRUE',
	undelivered: `message ->> 'outcome' IN ('bounced', 'rejected', 'failed')`,
};

const searched = `lowerCase(message ->> 'to', message ->> 'subject', idempotencyKey)`;

/** The messages and the inbox of both workspaces. */
export class Messages {
	#database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	insert(mode: Mode, message: StoredMessage): void {
		this.#database
			.prepare('INSERT INTO messages (mode, id, idempotencyKey, message) VALUES (?, ?, ?, ?)')
			.run(mode, message.id, message.idempotencyKey, JSON.stringify(message));
	}

	/** The message that was first sent with this idempotency key. Keys belong to a workspace. */
	withKey(mode: Mode, idempotencyKey: string): StoredMessage | undefined {
		const row = this.#database
			.prepare('SELECT message FROM messages WHERE mode = ? AND idempotencyKey = ?')
			.get(mode, idempotencyKey);
		return row && JSON.parse(row.message as string);
	}

	all(mode: Mode): StoredMessage[] {
		return this.#database
			.prepare('SELECT message FROM messages WHERE mode = ? ORDER BY position')
			.all(mode)
			.map((row) => JSON.parse(row.message as string));
	}

	find(mode: Mode, id: string): StoredMessage | undefined {
		const row = this.#database
			.prepare('SELECT message FROM messages WHERE mode = ? AND id = ?')
			.get(mode, id);
		return row && JSON.parse(row.message as string);
	}

	/**
	 * The newest messages that have a text in recipient, subject or key.
	 * @returns the newest first, and the number of all matches
	 */
	page(
		mode: Mode,
		choice: MessageChoice,
		search: string,
		limit: number,
	): { messages: MessageSummary[]; totalCount: number } {
		const where = `mode = ? AND ${chosen[choice]} ${search && `AND instr(${searched}, ?) > 0`}`;
		const values = [mode, ...(search ? [search.toLowerCase()] : [])];
		const rows = this.#database
			.prepare(
				`SELECT json_remove(message, '$.html', '$.text') AS summary FROM messages
				WHERE ${where} ORDER BY position DESC LIMIT ?`,
			)
			.all(...values, limit);
		const count = this.#database.prepare(`SELECT count(*) AS number FROM messages WHERE ${where}`);
		return {
			messages: rows.map(({ summary }) => JSON.parse(summary as string)),
			totalCount: count.get(...values)!.number as number,
		};
	}

	/** Adds a message to the inbox of everything that was delivered. */
	deliver(mode: Mode, id: string): void {
		this.#database.prepare('INSERT INTO inbox (mode, messageId) VALUES (?, ?)').run(mode, id);
	}

	/** Every delivered message, in the order of delivery. */
	inbox(mode: Mode): StoredMessage[] {
		return this.#database
			.prepare(
				`SELECT message FROM inbox JOIN messages
				ON messages.id = inbox.messageId AND messages.mode = inbox.mode
				WHERE inbox.mode = ? ORDER BY inbox.position`,
			)
			.all(mode)
			.map((row) => JSON.parse(row.message as string));
	}

	inboxCount(mode: Mode): number {
		const row = this.#database
			.prepare('SELECT count(*) AS number FROM inbox WHERE mode = ?')
			.get(mode);
		return row!.number as number;
	}

	/** Empties the inbox, but keeps the messages and their keys. */
	emptyInbox(mode: Mode): void {
		this.#database.prepare('DELETE FROM inbox WHERE mode = ?').run(mode);
	}
}
