import type { IDataObject } from 'n8n-workflow';
import { normalizedEmail } from '../../service/formats';
import { trim } from '../../text/plainText';
import { parseTime } from '../../service/serviceTime';

/** Which of the contacts that the service returns are wanted: those that meet all conditions. */
export interface ContactFilter {
	/** Compared as `normalizedEmail` says. */
	email?: string;
	/** A tag of the contact, case-sensitive as in Update Contact, in Unicode's composed form. */
	tag?: string;
	source?: string;
	/** In ms since 1970. A contact without a readable date counts as updated later. */
	updatedAfter?: number;
}

export function isWanted(
	{ email, tag, source, updatedAfter }: ContactFilter,
	contact: IDataObject,
): boolean {
	return (
		(email === undefined || normalizedEmail(contact.email) === normalizedEmail(email)) &&
		(tag === undefined || hasTag(contact, tag)) &&
		(source === undefined || contact.source === source) &&
		(updatedAfter === undefined || !(parseTime(contact.updatedAt) <= updatedAfter))
	);
}

function hasTag({ tags }: IDataObject, tag: string): boolean {
	return Array.isArray(tags) && tags.some((one) => trim(String(one)).normalize() === tag);
}

/** Whether the node has to filter what the service returns. */
export function hasCondition(filter: ContactFilter): boolean {
	return Object.values(filter).some((wanted) => wanted !== undefined);
}
