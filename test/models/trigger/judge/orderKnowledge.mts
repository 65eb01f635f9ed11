import type { Contact } from '../service/contacts.mts';
import type { Version } from '../service/contact.mts';
import type { EventName, History } from '../history.mts';
import type { SeenPoll } from './seen.mts';

/** Everything is read about once an hour: by the end of the second nothing is late any more. */
const latest = 2 * 3_600_000;

/** Whether a list may be taken for one in the order of dates that tell where news stands. */
export function looksOrdered(list: readonly Contact[], events: readonly EventName[]): boolean {
	if (isOrdered(list.map(({ version }) => version.updatedAt))) return true;
	const isOfCreated = !events.includes('contactUpdated');
	return isOfCreated && isOrdered(list.map(({ version }) => version.createdAt));
}

/** Whether dates rise or fall, in one direction only. */
function isOrdered(dates: ReadonlyArray<number | undefined>): boolean {
	let rises = 0;
	let falls = 0;
	for (let index = 1; index < dates.length; index++) {
		const [before, date] = [dates[index - 1], dates[index]];
		// Of those without a date no one knows where they belong.
		if (before === undefined || date === undefined) continue;
		if (date > before) rises++;
		if (date < before) falls++;
	}
	return rises + falls > 0 && (rises === 0 || falls === 0);
}

/** What may be late because only a part of the list was read. */
export interface Sought {
	base: Version | undefined;
	now: ReadonlyArray<Version | undefined>;
	looksOrderedAt: number;
	lateSince?: number;
}

/** @returns why it may come later; undefined if it stands where news stands, or has waited enough */
export function orderExcuses(
	{ variants }: History,
	{ at, settings }: SeenPoll,
	{ now, looksOrderedAt, lateSince }: Sought,
): string | undefined {
	if (at - looksOrderedAt > latest) return undefined;
	if (lateSince !== undefined && at - lateSince >= latest) return undefined;
	const { order, stamps, form, isPatchy, stampsUpdates } = variants;
	const [by] = order.split(' ');
	const isShown = (stamps === 'both' || stamps === by) && form !== 'all equal' && !isPatchy;
	const isAtNews = now.every(
		(version) => version && (by === 'updatedAt' ? isUpdatedLast(version) : version.isLastCreated),
	);
	// An update that is not dated stays where it was.
	function isUpdatedLast({ isLastUpdated, changes }: Version): boolean {
		return isLastUpdated && (stampsUpdates || changes === 0);
	}
	const isByDate =
		by === 'updatedAt' || (by === 'createdAt' && !settings.events.includes('contactUpdated'));
	if (isByDate && isShown && isAtNews) return undefined;
	return isByDate
		? `by ${by}, and not where news stands`
		: `in the order of ${by} it looked like one of dates`;
}
