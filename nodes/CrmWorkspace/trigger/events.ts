/** The events of a trigger, and the digests by which records and events are known again. */
import { createHash } from 'crypto';
import type { JsonObject } from '../client/request';

/** The values of the Trigger On parameter. */
export const eventNames = [
	'contactCreated',
	'contactUpdated',
	'activityAdded',
	'taskOverdue',
] as const;

export type EventName = (typeof eventNames)[number];

export function isOfContact(event: EventName): event is 'contactCreated' | 'contactUpdated' {
	return event === 'contactCreated' || event === 'contactUpdated';
}

/** An event that a poll has found and may emit. */
export interface PendingEvent {
	event: EventName;
	record: JsonObject;
	/** When it happened, or its record was created, in ms since 1970; NaN if that isn't shown. */
	date: number;
	/** What distinguishes this event from all others: its key is made of it. */
	parts: unknown[];
	changedFields?: string[];
	/** Called if the event is emitted, so that no later poll finds it again. */
	remember(): void;
}

/** In characters, of six bits each: collisions are negligible. */
const keyLength = 22;

/**
 * The event key (output field `key`): the same each time the event is emitted. Users take it as the
 * custom idempotency key of what they send because of the event.
 * @param origin the workflow, because each one sends something else, and the scope of its state
 */
export function computeEventKey({ event, parts }: PendingEvent, origin: string[]): string {
	return `${event}-${digest([...origin, event, ...parts], keyLength)}`;
}

/**
 * The events to emit, oldest first, and those without a date before all others. If there are more
 * than may be emitted, the kinds take turns, so that a busy one holds up no other.
 */
export function selectEvents(events: PendingEvent[], max: number): PendingEvent[] {
	const counts = new Map<EventName, number>();
	const turns = sortOldestFirst(events).map((pending) => {
		const turn = counts.get(pending.event) ?? 0;
		counts.set(pending.event, turn + 1);
		return { pending, turn };
	});
	turns.sort((one, other) => one.turn - other.turn);
	return sortOldestFirst(turns.slice(0, max).map(({ pending }) => pending));
}

function sortOldestFirst(events: PendingEvent[]): PendingEvent[] {
	const dateOf = ({ date }: PendingEvent) => (Number.isNaN(date) ? -Infinity : date);
	return [...events].sort((one, other) => Math.sign(dateOf(one) - dateOf(other)) || 0);
}

/**
 * Characters of a record's identity, of six bits each. With 100,000 remembered records, one new
 * record in three billion is taken for a remembered one.
 */
const identityLength = 8;

/** A digest of its ID, by which a record is remembered between polls. */
export function computeIdentity({ id }: JsonObject): string {
	return digest(['id', String(id)], identityLength);
}

/** A digest of texts and numbers, in characters of base64url. */
export function digest(value: unknown, length: number): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, length);
}

/** Rows by the identity of a record, as one text, which n8n stores without looking into it. */
export function joinRows(rows: Iterable<[identity: string, row: string]>): string {
	return Array.from(rows, ([identity, row]) => identity + row).join(' ');
}

/** @throws TypeError for anything but text */
export function splitRows(text: string): Map<string, string> {
	const rows = text.split(' ').filter((row) => row !== '');
	return new Map(rows.map((row) => [row.slice(0, identityLength), row.slice(identityLength)]));
}
