import type { Sighting } from './events';
import type { Source } from './session';

/** Whether records are of those that were there before. Where there are none, nobody knows. */
export type Whose = 'same' | 'others' | 'unknown';

/** What a trigger watches: a collection of the service, and what is remembered of it. */
export interface Watch {
	/**
	 * Reads as much of it as there is time for.
	 * @throws RequestFailure
	 */
	read(source: Source): Promise<void>;
	/** Whose records it has read. */
	whose(): Promise<Whose>;
	/** Forgets all that was before: what it has read is remembered, and nothing of it is told. */
	beginAnew(): void;
	/** What is new in what it has read. All else of that is remembered. */
	news(): Promise<Sighting[]>;
	/** What n8n is to store; undefined for nothing. */
	stored(): object | undefined;
}
