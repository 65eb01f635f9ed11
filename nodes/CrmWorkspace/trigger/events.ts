import { digest, type AnyRecord } from './digest';

/** What can start a workflow: the values of the Events parameter. */
export const eventNames = [
	'contactCreated',
	'contactUpdated',
	'activityAdded',
	'taskOverdue',
] as const;

export type EventName = (typeof eventNames)[number];

export function isOfContact(event: EventName): boolean {
	return event === 'contactCreated' || event === 'contactUpdated';
}

/** Length of an event key, in bytes: enough that no two events ever have the same. */
const keyBytes = 16;

/** An event that a poll has found and not yet put out. */
export interface PendingEvent {
	event: EventName;
	record: AnyRecord;
	/** When it happened, in ms since 1970, as far as the record tells; NaN where it does not. */
	date: number;
	/** What identifies this event among all others: its key is made of it. */
	parts: unknown[];
	changedFields?: string[];
	/**
	 * Remembers the event, so that no later poll finds it again. Called only for events that are put
	 * out.
	 */
	remember(): void;
}

/**
 * The event key (output field `key`): the same each time the event is put out. Users take it as the
 * custom idempotency key of what they send because of the event.
 * @param origin the workflow, because each one sends something else, and the scope of its state
 */
export function eventKeyOf(
	{ event, parts }: Pick<PendingEvent, 'event' | 'parts'>,
	origin: string[],
): string {
	return `${event}-${digest([...origin, event, ...parts], keyBytes)}`;
}

/** Events without a date come before all others. */
export function oldestFirst(pendingEvents: PendingEvent[]): PendingEvent[] {
	return [...pendingEvents].sort((one, other) => byDate(one.date, other.date));
}

/** Compares dates for sorting; none comes before all others. */
export function byDate(one: number, other: number): number {
	const [moment, otherMoment] = [one, other].map((date) => (Number.isNaN(date) ? -Infinity : date));
	return Math.sign(moment - otherMoment) || 0;
}
