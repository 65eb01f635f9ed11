import type { IDataObject } from 'n8n-workflow';
import type { PagesRead } from '../../service/lists/readPages';
import { normalizeName, formatList } from '../../text/plainText';

/** Hint: contacts may be missing from a list that no pass has read completely. */
export function describeUnsettled({ records, totalCount }: PagesRead): string {
	return `Some contacts may be missing: ${records.length} (the service counted ${totalCount}) were read, and the list kept changing or doesn't show what it counts. Run the workflow again at a quieter time, or list fewer contacts with the filter 'Search'.`;
}

/** Hint: articles that the service found and didn't return. */
export function describeKeptBack(count: number, total: number): string {
	return `The service found ${total} articles but returned only ${count}, and it offers no next page. Use a narrower 'Search Term' to find the others.`;
}

/** Hint: the list is in the output once for each input item. */
export function describeRepetition(count: number): string {
	return `The output has the same list ${count} times, once for each input item. If the list doesn't depend on the items, turn on 'Execute Once' in the settings of this node.`;
}

/** Hint: no contact has the tag, address or source that was asked for; some may have a similar tag. */
export function describeNoMatch(wanted: string, contacts: IDataObject[]): string {
	const tags = contacts.flatMap(({ tags }) => (Array.isArray(tags) ? tags.map(String) : []));
	const similar = [...new Set(tags)].find((tag) => normalizeName(tag) === normalizeName(wanted));
	return `No contact that was read shows “${formatList([wanted])}”${similar ? `, but some have the tag “${formatList([similar])}”` : ''}`;
}
