import type { EventName, Settings } from '../history.mts';
import type { Credential } from '../service.mts';
import { Violation as Broken } from '../../harness/violation.mts';
import type { Workspace } from '../service/workspace.mts';

/** What has to hold. */
export type Rule =
	| 'the first poll is silent'
	| 'nothing missed'
	| 'nothing too much'
	| 'nothing made up'
	| 'no more than the limit'
	| 'another event, another key'
	| 'the same event, the same key'
	| 'changed fields are those that changed'
	| 'no error'
	| 'null for nothing'
	| 'one poll at a time'
	| 'a test touches nothing'
	| 'a test tells one event of each kind'
	| 'it ends';

/** Something that must not be. */
export class Violation extends Broken<Rule> {}

/** An item that came out of a poll. */
export interface Emission {
	event: EventName;
	key: string;
	record: Record<string, unknown>;
	changedFields?: string[];
}

/** A poll that has ended, and what was around it. */
export interface SeenPoll {
	number: number;
	/** Moments of the service before its first request and at its end. */
	from: number;
	to: number;
	/** When it began, in ms since 1970. */
	at: number;
	settings: Settings;
	credential: Credential;
	workspace: Workspace;
	/** Whether it met no fault and had time enough for everything. */
	isAmple: boolean;
	/** The most contacts that there were at a time, anyone who searched. */
	mostContacts: number;
	emissions: Emission[];
}

/** Whether as many came as may. */
export function isFull({ settings: { limit }, emissions }: SeenPoll): boolean {
	return limit !== undefined && emissions.length >= limit;
}
