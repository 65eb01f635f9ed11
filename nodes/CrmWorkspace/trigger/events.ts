import { digest, type AnyRecord } from './digest';

/** What can start a workflow, by the values of the Events parameter. */
export const eventNames = [
	'contactCreated',
	'contactUpdated',
	'activityAdded',
	'taskOverdue',
] as const;

export type EventName = (typeof eventNames)[number];

/** Whether an event is one of a contact. */
export function isOfContact(event: EventName): boolean {
	return event === 'contactCreated' || event === 'contactUpdated';
}

/** Bytes of an event's key: that two events have the same will not happen. */
const keyBytes = 16;

/** An event that a poll has come upon, and has not told yet. */
export interface Sighting {
	event: EventName;
	record: AnyRecord;
	/** When it happened, in ms since 1970, as far as the record tells; NaN where it does not. */
	date: number;
	/** What makes this event unlike every other. */
	parts: unknown[];
	changedFields?: string[];
	/** Remembers it, so that no later poll comes upon it. */
	note(): void;
}

/**
 * The key of an event, the same whenever it is told: a custom key for what is sent because of it.
 * @param place the workflow, because each sends something else, and what it is connected to
 */
export function keyOf(
	{ event, parts }: Pick<Sighting, 'event' | 'parts'>,
	place: string[],
): string {
	return `${event}-${digest([...place, event, ...parts], keyBytes)}`;
}

/** The oldest first; what does not tell when it happened comes before all others. */
export function inTurn(sightings: Sighting[]): Sighting[] {
	return [...sightings].sort((one, other) => byDate(one.date, other.date));
}

/** Compares dates for sorting; none comes before all others. */
export function byDate(one: number, other: number): number {
	const [moment, otherMoment] = [one, other].map((date) => (Number.isNaN(date) ? -Infinity : date));
	return Math.sign(moment - otherMoment) || 0;
}
