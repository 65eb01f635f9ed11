import type { Page } from '../../service/answers';
import { momentIn } from '../../service/moment';
import { momentOf } from '../../service/pass';
import type { AnyRecord } from '../digest';
import { pageInTime, type Orders, type Source } from './contactWalk';

/** The end of a list at which news stand: the first page or the last. */
export interface Edge {
	at: 'first' | 'last';
	/** By which date the list is ordered. */
	by: 'createdAt' | 'updatedAt';
}

/** What the edge of a list has brought. */
export interface EdgeRead {
	contacts: AnyRecord[];
	/** Whether it was read until there can be no more news. */
	isWhole: boolean;
	/** When it was read, by the service's clock, in ms since 1970. */
	began: number;
}

/**
 * Where news stand in a list of that order. Creation and update go the same way in a list that
 * nobody has updated yet: then only new contacts have a place that is certain.
 * @param withUpdates whether updates are wanted, too
 */
export function edgeOf({ created, updated }: Orders, withUpdates: boolean): Edge | undefined {
	const direction = withUpdates ? updated : (created ?? updated);
	if (!direction || (withUpdates && created === updated)) return undefined;
	return {
		at: direction === 'falling' ? 'first' : 'last',
		by: withUpdates || !created ? 'updatedAt' : 'createdAt',
	};
}

/**
 * Reads from the edge on, until a page ends with a contact that is known and older than a moment.
 * @param since in ms since 1970
 * @param lastPage which one it was the last time
 * @throws RequestFailure when not even one page could be had
 */
export async function readEdge(
	source: Source,
	{ at, by }: Edge,
	{
		since,
		lastPage,
		isKnown,
	}: { since: number; lastPage: number; isKnown: (one: AnyRecord) => boolean },
): Promise<EdgeRead> {
	const isFront = at === 'first';
	const read: EdgeRead = { contacts: [], isWhole: false, began: NaN };
	let end = lastPage;
	let first: Page | undefined;
	for (let number = isFront ? 1 : end; number >= 1; number += isFront ? 1 : -1) {
		const page = await pageInTime(source, number, first === undefined);
		// If contacts come or go meanwhile, one may slip from a page to one that was read before.
		if (!page || page.totalCount !== (first ?? page).totalCount) return read;
		if (!first) read.began = momentOf(page);
		first ??= page;
		read.contacts.push(...page.records);
		const { records, totalPages } = page;
		if (!isFront && totalPages === undefined) return read;
		if (!isFront && totalPages! > end) {
			// It has grown: its end is further on.
			end = totalPages!;
			number = end + 1;
			continue;
		}
		const outermost = records.at(isFront ? -1 : 0);
		if (outermost && isKnown(outermost) && momentIn(outermost[by]) < since) break;
		if (isFront && (records.length < first.records.length || number === totalPages)) break;
	}
	return { ...read, isWhole: true };
}
