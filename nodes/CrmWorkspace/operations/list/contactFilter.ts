import type { IDataObject } from 'n8n-workflow';
import { normalizedEmail } from '../../service/formats';
import { momentIn } from '../../service/serviceTime';

/** Which contacts are wanted, of those that the service sends: all conditions that are there count. */
export interface ContactFilter {
	/** This address, compared as `normalizedEmail` says. */
	email?: string;
	/** One of the tags is this one, upper and lower case being different, as for the option Tags. */
	tag?: string;
	source?: string;
	/** Changed after this moment, in ms since 1970. A date that cannot be read counts as later. */
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
		(updatedAfter === undefined || !(momentIn(contact.updatedAt) <= updatedAfter))
	);
}

function hasTag({ tags }: IDataObject, tag: string): boolean {
	return Array.isArray(tags) && tags.some((one) => String(one).trim() === tag);
}

/** Whether there is anything that the service cannot be asked for. */
export function hasCondition(filter: ContactFilter): boolean {
	return Object.values(filter).some((wanted) => wanted !== undefined);
}
