import type { IDataObject } from 'n8n-workflow';
import { normalizedEmail } from './changes';

/** Contacts by what they can be named by. One without an ID cannot be written to, so it is none. */
export class ContactIndex {
	private readonly byId = new Map<string, IDataObject>();

	private readonly byEmail = new Map<string, IDataObject[]>();

	/** @param isSettled whether all contacts that were asked for are certain to be there */
	constructor(
		records: IDataObject[],
		readonly isSettled: boolean,
	) {
		for (const record of records) {
			if (typeof record?.id === 'string') this.byId.set(record.id.toLowerCase(), record);
		}
		for (const record of this.byId.values()) {
			const email = normalizedEmail(record.email);
			this.byEmail.set(email, [...this.withEmail(email), record]);
		}
	}

	/** The contact with an ID, whatever the case of its letters. */
	withId(id: string): IDataObject | undefined {
		return this.byId.get(id.toLowerCase());
	}

	/** All contacts with an email address, which is compared as `normalizedEmail` says. */
	withEmail(email: string): IDataObject[] {
		return this.byEmail.get(normalizedEmail(email)) ?? [];
	}
}
