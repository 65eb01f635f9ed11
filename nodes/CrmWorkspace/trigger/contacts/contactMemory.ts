import type { ContactFieldName } from '../../service/records';
import { identityBytes } from '../digest';
import { digitsOf, pack, unpack } from '../packed';
import { differingFields, fieldsBytes, secondOf, type ContactSummary } from './contactSummary';

/** More contacts than a list may have (see `contactPages`), for those that were deleted. */
const maxContacts = 60_000;

/** The bytes of a date, in seconds since 1970, and of how many updates were told. */
const dateBytes = 4;
const updatesBytes = 1;
const rowBytes = identityBytes + fieldsBytes + dateBytes + updatesBytes;

const fieldsEnd = 2 * fieldsBytes;
const dateEnd = fieldsEnd + 2 * dateBytes;

/** Stands for fields that are not known. */
const unknownFields = 'f'.repeat(fieldsEnd);

/** What has become of a contact that is remembered. */
interface ContactChange {
	/** Empty where only its `updatedAt` is later. */
	changedFields: ContactFieldName[];
	/** How many of its updates were told before, from 0 to 255, and from 0 again. */
	updates: number;
}

/**
 * The contacts that polls have seen, each as it was: a digest of each field, when it was updated, and
 * how many of its updates were told. Those that were seen last come last, so that what was deleted
 * long ago is forgotten first.
 */
export class ContactMemory {
	/** Rows of hexadecimal digits, without the identity by which they are found. */
	private readonly rows = new Map<string, string>();

	/**
	 * @param stored what `stored` has given
	 * @throws UnreadableState for what no memory has stored
	 */
	constructor(stored?: string) {
		for (const row of stored === undefined ? [] : unpack(stored, rowBytes)) {
			this.rows.set(row.slice(0, 2 * identityBytes), row.slice(2 * identityBytes));
		}
	}

	get size(): number {
		return this.rows.size;
	}

	has({ identity }: ContactSummary): boolean {
		return this.rows.has(identity);
	}

	/** Whether it remembers the contact just as it is now. */
	isAsRemembered({ identity, fields, updatedAt }: ContactSummary): boolean {
		const row = this.rows.get(identity);
		return row?.slice(0, dateEnd) === fields + digitsOf(secondOf(updatedAt) ?? 0, dateBytes);
	}

	/** What has changed since the contact was remembered; undefined for nothing that is known. */
	changeOf({ identity, fields, updatedAt }: ContactSummary): ContactChange | undefined {
		const row = this.rows.get(identity);
		const before = row?.slice(0, fieldsEnd) ?? unknownFields;
		if (!row || before === unknownFields) return undefined;
		const changedFields = before === fields ? [] : differingFields(before, fields);
		const dated = parseInt(row.slice(fieldsEnd, dateEnd), 16);
		const isLater = dated > 0 && (secondOf(updatedAt) ?? 0) > dated;
		if (changedFields.length === 0 && !isLater) return undefined;
		return { changedFields, updates: updatesIn(row) };
	}

	/** Remembers a contact as it is. @param isUpdateTold whether an update of it is told by that */
	remember({ identity, fields, updatedAt }: ContactSummary, isUpdateTold = false): void {
		const row = this.rows.get(identity);
		const updates = ((row ? updatesIn(row) : 0) + Number(isUpdateTold)) % 256;
		// A date that is not shown this once is not forgotten.
		const known = row ? parseInt(row.slice(fieldsEnd, dateEnd), 16) : 0;
		const date = secondOf(updatedAt) ?? known;
		this.rows.delete(identity);
		this.rows.set(identity, fields + digitsOf(date, dateBytes) + digitsOf(updates, updatesBytes));
	}

	/** Forgets how the contacts were, but not which ones there are. */
	forgetFields(): void {
		for (const [identity, row] of this.rows) {
			this.rows.set(identity, unknownFields + digitsOf(0, dateBytes) + row.slice(dateEnd));
		}
	}

	/** As n8n stores it: base64. */
	stored(): string {
		return pack([...this.rows].slice(-maxContacts).map(([identity, row]) => identity + row));
	}
}

function updatesIn(row: string): number {
	return parseInt(row.slice(dateEnd), 16);
}
