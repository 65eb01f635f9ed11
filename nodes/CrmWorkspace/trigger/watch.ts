import type { Connection } from '../transport/connection';
import type { PendingEvent } from './events';

/** What a watch reads with. */
export interface Reader {
	/** Once the poll has no more time, it lets no request begin. */
	connection: Connection;
	/** Whether the records may be those of another workspace, so that all have to be looked at. */
	isNewKey: boolean;
}

/** One collection of the service that a trigger watches, and what is remembered of it. */
export interface Watch {
	/** Reads as much of it as there is time for. @throws RequestFailure */
	read(reader: Reader): Promise<void>;
	/** Whether it remembers any of the records that it has read; undefined if there are none. */
	knowsAny(): boolean | undefined;
	/** Forgets earlier polls: what it has read becomes the baseline, without events. */
	beginAgain(): void;
	/** Finds the events in what it has read, and remembers all other records. */
	findEvents(): Promise<PendingEvent[]>;
	/** What n8n has to store; undefined for nothing. */
	stored(): object | undefined;
}
