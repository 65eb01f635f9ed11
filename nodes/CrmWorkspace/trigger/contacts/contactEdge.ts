import type { Page } from '../../service/answers';
import { momentIn } from '../../service/moment';
import type { AnyRecord } from '../digest';
import type { ServiceAccess } from '../session';
import { momentOf, pageInTime, type Orders } from './contactWalk';

/** The end of a sorted list at which new or changed contacts appear: the first page or the last. */
export interface Edge {
	at: 'first' | 'last';
	/** The date that the list is ordered by. */
	by: 'createdAt' | 'updatedAt';
}

/** What was read at the edge of a list. */
export interface EdgeRead {
	contacts: AnyRecord[];
	/** Whether everything that can be new or changed was read. */
	isWhole: boolean;
	/** When it was read, by the service's clock, in ms since 1970. */
	began: number;
}

/**
 * The edge at which new or changed contacts appear in a list of that order. If no contact was ever
 * updated, the list seems ordered by both dates: then only new contacts are certain to be at the
 * edge.
 * @param withUpdates whether changed contacts are wanted, too
 */
export function edgeOf({ created, updated }: Orders, withUpdates: boolean): Edge | undefined {
	const direction = withUpdates ? updated : (created ?? updated);
	if (!direction || (withUpdates && created === updated)) return undefined;
	return {
		at: direction === 'falling' ? 'first' : 'last',
		by: withUpdates || !created ? 'updatedAt' : 'createdAt',
	};
}

/** How far an edge is read. */
interface Reach {
	/** In ms since 1970: nothing that is older can be new or changed. */
	since: number;
	/** The number of the last page at the last poll. */
	lastPage: number;
	isKnown: (contact: AnyRecord) => boolean;
}

/**
 * Reads from the edge on, until a page ends with a contact that is known and older than a moment.
 * @throws RequestFailure when not even one page could be had
 */
export async function readEdge(access: ServiceAccess, edge: Edge, reach: Reach): Promise<EdgeRead> {
	const read: EdgeRead = { contacts: [], isWhole: false, began: NaN };
	const isFront = edge.at === 'first';
	let first: Page | undefined;
	let number = isFront ? 1 : reach.lastPage;
	while (number >= 1) {
		const page = await pageInTime(access, number, first === undefined);
		// If contacts come or go meanwhile, one may move to a page that has been read already.
		if (!page || page.totalCount !== (first ?? page).totalCount) return read;
		if (!first) read.began = momentOf(page);
		first ??= page;
		read.contacts = read.contacts.concat(page.records);
		const { records, totalPages } = page;
		const isOutside = !isFront && page === first && totalPages !== number;
		if (isOutside && totalPages === undefined) return read;
		const outermost = records.at(isFront ? -1 : 0);
		if (outermost && !isOutside && isOld(outermost, edge, reach)) break;
		if (isFront && (records.length < first.records.length || isEnd(page, number))) break;
		// A list that has grown or shrunk ends on another page than the last time.
		number = isOutside ? totalPages! : number + (isFront ? 1 : -1);
	}
	return { ...read, isWhole: true };
}

function isOld(contact: AnyRecord, { by }: Edge, { since, isKnown }: Reach): boolean {
	return isKnown(contact) && momentIn(contact[by]) < since;
}

function isEnd({ records, totalPages = Infinity }: Page, number: number): boolean {
	return records.length === 0 || number >= totalPages;
}
