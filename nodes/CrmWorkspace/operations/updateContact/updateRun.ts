import type { NodeExecutionHint } from 'n8n-workflow';
import type { Connection } from '../../transport/connection';
import { ContactFinder } from '../../service/contactFinder';
import { Cancelled } from '../../transport/errors/failure';
import { hint } from '../../transport/hint';
import { ItemProblem } from '../itemProblem';
import { otherValues } from './changes';
import { apply, type UpdateResult } from './apply';
import { Contacts } from './contacts';
import { isUnread, unread, type KnownContact } from './knownContact';
import { OmittedFields } from './omittedFields';
import { OrderedLocks } from './orderedLocks';
import type { Owed } from './owed';
import type { Update } from './update';
import { mayBeWritten } from './write';
import { payBack, type Writing } from './writeWithOthers';

/**
 * The updates of one run. Those that touch the same contact or email address are done in input
 * order, each on what the one before has left; all others side by side.
 */
export class UpdateRun {
	private readonly contacts: Contacts;

	private readonly locks = new OrderedLocks();

	private readonly omitted = new OmittedFields();

	private readonly writing: Writing;

	private paidBack?: Promise<void>;

	private isOver = false;

	/**
	 * @param concurrency how many requests of a walk may be under way at the same time
	 * @param goesOn whether the run goes on when an update fails
	 * @param owed what earlier tries have left owing
	 */
	constructor(
		connection: Connection,
		concurrency: number,
		private readonly goesOn: boolean,
		owed: Owed,
	) {
		const contacts = new Contacts(new ContactFinder(connection, concurrency));
		const readAgain = async (contact: KnownContact) => await contacts.readAgain(contact);
		this.contacts = contacts;
		this.writing = { connection, omitted: this.omitted, owed, readAgain };
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
		const done = this.locks.run(
			async () => await this.contacts.namesOf(update),
			async () => await this.unlessOver(async () => await this.performNow(update)),
		);
		// The run ends with its error: what another update has emptied has to be written back first.
		await done.catch(async () => this.isOver && (await this.omitted.untilTrialIsOver()));
		return await done;
	}

	/** What the user should know of the fields that were left out. */
	hints(): NodeExecutionHint[] {
		const message = this.omitted.hint;
		return message === undefined ? [] : [hint(message)];
	}

	/** An update that was still waiting when the run ended must not write any more. */
	private async unlessOver<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.isOver) throw new Cancelled();
		return await work().catch((error: unknown) => {
			this.isOver = !this.goesOn;
			throw error;
		});
	}

	private async performNow(update: Update): Promise<UpdateResult> {
		await (this.paidBack ??= this.payBack());
		const contact = await this.contacts.find(update);
		if (update.dryRun) await this.contacts.refuseTaken(contact, update.fields);
		const done = await this.applyOrTry(contact, update).catch((error: unknown) => {
			this.contacts.keepFailed(contact, update.fields, mayBeWritten(error));
			throw error;
		});
		this.contacts.keep(done.contact);
		if (done.problem) throw done.problem;
		return done;
	}

	/**
	 * Gives contacts back what an earlier try of the run may have cost them, before they are read.
	 * @throws ItemProblem with the values, where that is not possible
	 */
	private async payBack(): Promise<void> {
		const { connection, owed } = this.writing;
		for (const id of Object.keys(owed)) {
			this.omitted.finding = 'open';
			const { loss } = await payBack(connection, owed, unread(id));
			if (loss) throw loss;
		}
	}

	/** @throws ItemProblem instead of writing where values would get lost that were never read */
	private async applyOrTry(contact: KnownContact, update: Update): Promise<UpdateResult> {
		const { omittedFields, dryRun, fields } = update;
		const isAuto = omittedFields === 'auto' && !dryRun;
		if (isAuto && this.omitted.finding === 'lost' && isUnread(contact)) throw neverRead();
		// After a trial that another item has to wait for, the run may be over.
		const attempt = async () =>
			await this.unlessOver(async () => await apply(this.writing, contact, update));
		// Where no other value is known there is nothing to lose that could be seen, and nothing to wait for.
		const mayShow = isAuto && Object.keys(otherValues(contact.record, fields)).length > 0;
		return mayShow ? await this.omitted.tryOut(attempt) : await attempt();
	}
}

function neverRead(): ItemProblem {
	return new ItemProblem({
		message: 'Nothing was written, because the contact would lose values that were not read',
		advice:
			'The service empties what an update leaves out, as an earlier item has shown. Set Omitted Fields to Always Keep, or name the contact by email.',
	});
}
