import type { IDataObject } from 'n8n-workflow';
import { yieldToEventLoop } from '../../transport/clock';
import { normalizedEmail } from '../formats';

/** Contacts by what they can be named by. One without an ID cannot be written to, so it is none. */
export class ContactIndex {
	private readonly byId = new Map<string, IDataObject>();

	private readonly byEmail = new Map<string, IDataObject[]>();

	private constructor() {}

	static async of(records: IDataObject[]): Promise<ContactIndex> {
		const index = new ContactIndex();
		for (const record of records) {
			if (typeof record?.id === 'string') index.byId.set(record.id.toLowerCase(), record);
			await yieldToEventLoop();
		}
		for (const record of index.byId.values()) {
			index.addEmail(record);
			await yieldToEventLoop();
		}
		return index;
	}

	/** The contact with an ID, whatever the case of its letters. */
	withId(id: string): IDataObject | undefined {
		return this.byId.get(id.toLowerCase());
	}

	/** All contacts with an email address, which is compared as `normalizedEmail` says. */
	withEmail(email: string): IDataObject[] {
		return this.byEmail.get(normalizedEmail(email)) ?? [];
	}

	private addEmail(record: IDataObject): void {
		const email = normalizedEmail(record.email);
		const sharing = this.byEmail.get(email);
		if (sharing) sharing.push(record);
		else this.byEmail.set(email, [record]);
	}
}
