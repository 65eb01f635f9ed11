import type { Connection } from '../../transport/connection';
import type { ContactFieldName } from '../../service/records';
import { listed } from '../../text/plainText';
import { Cancelled } from '../../transport/errors/failure';
import { ItemProblem } from '../itemProblem';
import { apply, type UpdateResult } from './apply';
import { ContactFinder } from './contactFinder';
import { displayNames } from './fields';
import { Contacts } from './contacts';
import { OmittedFields } from './omittedFields';
import { OrderedLocks } from './orderedLocks';
import type { Update } from './update';
import { mayBeWritten } from './write';

/**
 * The updates of one run. Those that touch the same contact or email address are done in input
 * order, each on what the one before has left; all others side by side.
 */
export class UpdateRun {
	private readonly contacts: Contacts;

	private readonly omitted = new OmittedFields();

	private readonly locks = new OrderedLocks();

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
		this.contacts = new Contacts(new ContactFinder(connection, concurrency));
	}

	/**
	 * Says that an update will be performed. Has to be called for all of them before the first
	 * `perform`.
	 */
	expect(update: Update): void {
		this.contacts.expect(update);
	}

	/**
	 * Does an update as soon as those before it on the same contact or address are done. Has to be
	 * called in input order.
	 * @throws ItemProblem, RequestFailure or Cancelled when it could not be done
	 */
	async perform(update: Update): Promise<UpdateResult> {
		return await this.locks.run(
			async () => await this.contacts.namesOf(update),
			async () => {
				// An update that was still waiting when the run ended must not write any more.
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
		if (done.uncleared?.length) throw notCleared(done.uncleared);
		return done;
	}
}

function notCleared(names: ContactFieldName[]): ItemProblem {
	return new ItemProblem({
		message: `The service took the update and did not clear ${listed(names.map((name) => displayNames[name]))}`,
		advice:
			'Its answer still shows a value there; what else was mapped is written. Empty it in the service.',
	});
}
