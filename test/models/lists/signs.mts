import type { History } from './history.mts';
import type { Look } from './service.mts';

/**
 * Whether all that was answered could as well be all pages of a collection in which nothing
 * changes. Then no one can tell, and every list ends as this one did: an unchanged collection
 * takes one request for each page and no hint.
 */
export function looksUnchanged(history: History, looks: readonly Look[]): boolean {
	const places = placesIn(looks);
	const end = endIn(history, looks);
	return places !== undefined && places.size === end && isOld(history, looks);
}

/** Which record stands at which place; undefined when one changed or was at two. */
function placesIn(looks: readonly Look[]): Map<number, string> | undefined {
	const places = new Map<number, string>();
	const ids = new Map<string, number>();
	for (const { page, limit, contacts, records } of looks) {
		for (const [index, { id }] of contacts.entries()) {
			const place = (page - 1) * limit + index;
			if ((places.get(place) ?? records[index]) !== records[index]) return undefined;
			if ((ids.get(id) ?? place) !== place) return undefined;
			places.set(place, records[index]);
			ids.set(id, place);
		}
	}
	return places;
}

/** How many contacts there are, if the answers tell, and tell the same. */
function endIn({ variants: { totals } }: History, looks: readonly Look[]): number | undefined {
	const counts = new Set<number>();
	/** By limit. */
	const pages = new Map<number, number>();
	let last = 0;
	let end = Infinity;
	for (const { page, limit, contacts, total } of looks) {
		const from = (page - 1) * limit;
		if (contacts.length > 0) last = Math.max(last, from + contacts.length);
		if (contacts.length < limit) end = Math.min(end, from + contacts.length);
		// A page past the end may be answered by an error, which tells no total.
		if (page > 1 && contacts.length === 0) continue;

		if (totals === 'both' || totals === 'totalCount') counts.add(total);
		if (totals === 'totalPages') {
			const count = Math.ceil(total / limit);
			if ((pages.get(limit) ?? count) !== count) return undefined;
			pages.set(limit, count);
		}
	}
	if (last > end || counts.size > 1) return undefined;
	const [count] = counts;
	if (count !== undefined) return count;
	const isWhole = [...pages].some(([limit, all]) => Math.ceil(last / limit) === all);
	return end < Infinity || isWhole ? last : undefined;
}

/** Whether no timestamp is younger than the beginning, as far as the service's time is known. */
function isOld({ variants }: History, looks: readonly Look[]): boolean {
	if (!variants.hasDate || looks.length === 0) return true;
	const [{ time }] = looks;
	const begin = variants.granularity === 's' ? time - (time % 1000) : time;
	return looks
		.flatMap(({ records }) => records)
		.every((record) => {
			const { createdAt, updatedAt } = JSON.parse(record) as Record<string, string | undefined>;
			return [createdAt, updatedAt].every((stamp) => !stamp || Date.parse(stamp) < begin);
		});
}
