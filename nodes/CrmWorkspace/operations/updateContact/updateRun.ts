import type { NodeExecutionHint } from 'n8n-workflow';
import type { Connection } from '../../transport/connection';
import { ContactFinder } from '../../service/lookup/contactFinder';
import { Cancelled } from '../../transport/failure';
import { hint } from '../../text/hint';
import { ItemProblem } from '../itemProblem';
import { otherValues } from './changes';
import { apply, type UpdateResult } from './apply';
import { Contacts } from './contacts';
import { Restorer } from './restorer';
import { afterWrite, isUnread, type KnownContact } from './knownContact';
import { OmittedFields } from './omittedFields';
import { OrderedLocks } from './orderedLocks';
import type { Backups } from './backups';
import type { WriteContext } from './restore';
import type { Update } from './update';
import { mayBeWritten } from './write';

/**
 * The updates of one run. Those that touch the same contact or email address are done in input
 * order, each on what the one before has written; all others side by side.
 */
export class UpdateRun {
	private readonly contacts: Contacts;

	private readonly locks = new OrderedLocks();

	private readonly omitted = new OmittedFields();

	private readonly writing: WriteContext;

	private readonly restorer: Restorer;

	private earlierRestored?: Promise<void>;

	/** The updates of this run that were never answered, by the IDs of their contacts. */
	private readonly unanswered = new Map<string, { contact: KnownContact; update: Update }>();

	private isOver = false;

	/**
	 * @param concurrency how many requests may be under way at the same time where all contacts are read
	 * @param backups those of earlier tries
	 */
	constructor(
		connection: Connection,
		concurrency: number,
		private readonly continuesOnFail: boolean,
		backups: Backups,
	) {
		const finder = new ContactFinder(connection, concurrency);
		const readAgain = async (id: string, email: string) => await finder.readAgain(id, email);
		this.contacts = new Contacts(finder);
		this.writing = { connection, omitted: this.omitted, backups, readAgain };
		this.restorer = new Restorer(this.writing);
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
			async () => {
				// Before any contact is read.
				await this.unlessOver(async () => await (this.earlierRestored ??= this.restoreEarlier()));
				return await this.contacts.lockNamesFor(update);
			},
			async () => await this.unlessOver(async () => await this.performNow(update)),
		);
		// The run ends with its error: what another update has emptied has to be written back first.
		await done.catch(async () => this.isOver && (await this.omitted.untilTrialIsOver()));
		if (this.continuesOnFail && this.omitted.finding) await this.restoreUnanswered();
		return await done;
	}

	/** What the user should know of the fields that were left out. */
	hints(): NodeExecutionHint[] {
		const message = this.omitted.hint;
		return [...(message === undefined ? [] : [hint(message)]), ...this.restorer.hints()];
	}

	/** An update that was still waiting when the run ended must not write any more. */
	private async unlessOver<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.isOver) throw new Cancelled();
		return await work().catch((error: unknown) => {
			this.isOver = !this.continuesOnFail;
			throw error;
		});
	}

	private async performNow(update: Update): Promise<UpdateResult> {
		const contact = await this.contacts.find(update);
		this.restorer.refuseIfLost(contact);
		if (update.isDryRun) await this.contacts.refuseTakenAddress(contact, update.fields);
		const done = await this.applyWithTrials(contact, update).catch((error: unknown) => {
			this.contacts.noteFailed(contact, update.fields, mayBeWritten(error));
			if (contact.id in this.writing.backups) this.unanswered.set(contact.id, { contact, update });
			throw error;
		});
		this.contacts.noteWritten(done.contact);
		if (done.problem) throw done.problem;
		return done;
	}

	/** @throws ItemProblem with values that stay lost, where the first item that fails ends the run */
	private async restoreEarlier(): Promise<void> {
		const loss = await this.restorer.restoreEarlier();
		if (loss && !this.continuesOnFail) throw loss;
	}

	/** Once it is known what the service does, this makes good the updates that were never answered. */
	private async restoreUnanswered(): Promise<void> {
		for (const [id, { contact, update }] of this.unanswered) {
			this.unanswered.delete(id);
			await this.locks.run(
				async () => await this.contacts.lockNamesFor(update),
				async () => {
					const { second } = await this.restorer.restoreIfMissing(id);
					if (!second) return;
					this.contacts.noteWritten(afterWrite(contact, second.written, second.answer, true));
				},
			);
		}
	}

	/** @throws ItemProblem instead of writing where values would get lost that were never read */
	private async applyWithTrials(contact: KnownContact, update: Update): Promise<UpdateResult> {
		const { omittedFields, isDryRun, fields } = update;
		const isAuto = omittedFields === 'auto' && !isDryRun;
		if (isAuto && this.omitted.finding === 'lost' && isUnread(contact)) throw neverRead();
		// After a trial that another item has to wait for, the run may be over.
		const applyNow = async () =>
			await this.unlessOver(async () => await apply(this.writing, contact, update));
		if (!isAuto) return await applyNow();
		return await this.omitted.oneTrialAtATime(otherValues(contact.record, fields), applyNow);
	}
}

function neverRead(): ItemProblem {
	return new ItemProblem({
		message: 'Nothing was written, because the contact would lose values that were not read',
		advice:
			'The service empties what an update leaves out, as an earlier item has shown. Set Omitted Fields to Always Keep, or name the contact by email.',
	});
}
