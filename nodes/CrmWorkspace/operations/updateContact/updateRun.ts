import type { Connection } from '../../transport/connection';
import { Cancelled } from '../../transport/failure';
import { apply, type UpdateResult } from './apply';
import { ContactFinder } from './contactFinder';
import { Contacts } from './contacts';
import { OmittedFields } from './omittedFields';
import { Turns } from './turns';
import type { Update } from './update';
import { mayBeWritten } from './write';

/**
 * The updates of one run. Those that touch the same contact or email address are done in input
 * order, each on what the one before has left; all others side by side.
 */
export class UpdateRun {
	private readonly finder: ContactFinder;

	private readonly contacts: Contacts;

	private readonly omitted = new OmittedFields();

	private readonly turns = new Turns();

	private isOver = false;

	/**
	 * @param concurrency how many requests of a walk may be under way at the same time
	 * @param goesOn whether the run goes on when an update fails
	 */
	constructor(
		private readonly connection: Connection,
		concurrency: number,
		private readonly goesOn: boolean,
	) {
		this.finder = new ContactFinder(connection, concurrency);
		this.contacts = new Contacts(this.finder);
	}

	/** Announces an update. All are announced before the first one is performed. */
	expect(update: Update): void {
		this.finder.expect(update);
	}

	/**
	 * Does an update when its turn has come; to be called in input order.
	 * @throws ItemProblem, RequestFailure or Cancelled when it could not be done
	 */
	async perform(update: Update): Promise<UpdateResult> {
		return await this.turns.take(
			async () => await this.contacts.namesOf(update),
			async () => {
				// What waits for its turn is to write nothing more when the run ends.
				if (this.isOver) throw new Cancelled();
				return await this.performNow(update).catch((error: unknown) => {
					this.isOver = !this.goesOn;
					throw error;
				});
			},
		);
	}

	private async performNow(update: Update): Promise<UpdateResult> {
		const contact = await this.contacts.find(update);
		if (update.dryRun) await this.contacts.refuseTaken(contact, update.fields);
		const done = await apply(this.connection, contact, update, this.omitted).catch(
			(error: unknown) => {
				this.contacts.keepFailed(contact, update.fields, mayBeWritten(error));
				throw error;
			},
		);
		this.contacts.keep(done.contact);
		return done;
	}
}
