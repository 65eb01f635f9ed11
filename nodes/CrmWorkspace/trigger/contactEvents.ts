import { toSeconds, type SeenContact } from './contactSnapshot';
import type { PendingEvent } from './events';

type ContactEvent = Omit<PendingEvent, 'remember'>;

export function buildCreatedEvent({ record, identity, createdAt }: SeenContact): ContactEvent {
	const parts = [identity, toSeconds(createdAt)];
	return { event: 'contactCreated', record, date: createdAt, parts };
}

/** @param revision distinguishes this update from earlier ones: see `ContactSnapshot` */
export function buildUpdatedEvent(
	{ record, identity, fields, updatedAt }: SeenContact,
	revision: number,
	changedFields?: string[],
): ContactEvent {
	const parts = [identity, revision, fields];
	return { event: 'contactUpdated', record, date: updatedAt, parts, changedFields };
}
