import type { PendingEvent } from './events';
import type { ServiceAccess } from './session';

/**
 * Whether the records that were read are of the workspace that earlier polls have seen. Without any
 * record that is unknown.
 */
export type WorkspaceSeen = 'same' | 'other' | 'unknown';

/** One collection of the service that a trigger watches, and what is remembered of it. */
export interface Watch {
	/**
	 * Reads as much of it as there is time for.
	 * @param mayBeOtherWorkspace whether it may have to begin anew with what it reads
	 * @throws RequestFailure
	 */
	read(access: ServiceAccess, mayBeOtherWorkspace: boolean): Promise<void>;
	/** Which workspace the records that it has read are of. */
	workspace(): Promise<WorkspaceSeen>;
	/** Forgets what earlier polls have seen: what it has read counts as known, and makes no events. */
	beginAnew(): void;
	/** The events in what it has read. Records that make no event are remembered at once. */
	newEvents(): Promise<PendingEvent[]>;
	/** What n8n is to store; undefined for nothing. */
	stored(): object | undefined;
}
