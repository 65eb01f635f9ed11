import type { NodeExecutionHint } from 'n8n-workflow';
import type { Connection } from '../../transport/connection';
import { ContactFinder } from '../../service/lookup/contactFinder';
import { Cancelled } from '../../transport/errors/failure';
import { hint } from '../../transport/hint';
import { ItemProblem } from '../itemProblem';
import { otherValues } from './changes';
import { apply, type UpdateResult } from './apply';
import { Contacts } from './contacts';
import { Debts } from './debts';
import { afterWrite, isUnread, type KnownContact } from './knownContact';
import { OmittedFields } from './omittedFields';
import { OrderedLocks } from './orderedLocks';
import type { Owed } from './owed';
import type { Writing } from './payBack';
import type { Update } from './update';
import { mayBeWritten } from './write';

/**
 * The updates of one run. Those that touch the same contact or email address are done in input
 * order, each on what the one before has left; all others side by side.
 */
export class UpdateRun {
	private readonly contacts: Contacts;

	private readonly locks = new OrderedLocks();

	private readonly omitted = new OmittedFields();

	private readonly writing: Writing;

	private readonly debts: Debts;

	private settled?: Promise<void>;

	/** The updates of this run that were never answered, by the IDs of their contacts. */
	private readonly unanswered = new Map<string, { contact: KnownContact; update: Update }>();

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
		const readAgain = async (id: string, email: string) => await contacts.readAgain(id, email);
		this.contacts = contacts;
		this.writing = { connection, omitted: this.omitted, owed, readAgain };
		this.debts = new Debts(this.writing);
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
				await this.unlessOver(async () => await (this.settled ??= this.settleEarlier()));
				return await this.contacts.namesOf(update);
			},
			async () => await this.unlessOver(async () => await this.performNow(update)),
		);
		// The run ends with its error: what another update has emptied has to be written back first.
		await done.catch(async () => this.isOver && (await this.omitted.untilTrialIsOver()));
		if (this.goesOn && this.omitted.finding) await this.settleUnanswered();
		return await done;
	}

	/** What the user should know of the fields that were left out. */
	hints(): NodeExecutionHint[] {
		const message = this.omitted.hint;
		return [...(message === undefined ? [] : [hint(message)]), ...this.debts.hints()];
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
		const contact = await this.contacts.find(update);
		this.debts.refuseIfLost(contact);
		if (update.dryRun) await this.contacts.refuseTaken(contact, update.fields);
		const done = await this.applyOrTry(contact, update).catch((error: unknown) => {
			this.contacts.keepFailed(contact, update.fields, mayBeWritten(error));
			if (contact.id in this.writing.owed) this.unanswered.set(contact.id, { contact, update });
			throw error;
		});
		this.contacts.keep(done.contact);
		if (done.problem) throw done.problem;
		return done;
	}

	/** @throws ItemProblem with values that stay lost, where the first item that fails ends the run */
	private async settleEarlier(): Promise<void> {
		const loss = await this.debts.settleEarlier();
		if (loss && !this.goesOn) throw loss;
	}

	/** Once it is known what the service does, this makes good the updates that nothing has answered. */
	private async settleUnanswered(): Promise<void> {
		for (const [id, { contact, update }] of this.unanswered) {
			this.unanswered.delete(id);
			await this.locks.run(
				async () => await this.contacts.namesOf(update),
				async () => {
					const { second } = await this.debts.settle(id);
					if (!second) return;
					this.contacts.keep(afterWrite(contact, second.written, second.answer, true));
				},
			);
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
		if (!isAuto) return await attempt();
		return await this.omitted.inTurn(otherValues(contact.record, fields), attempt);
	}
}

function neverRead(): ItemProblem {
	return new ItemProblem({
		message: 'Nothing was written, because the contact would lose values that were not read',
		advice:
			'The service empties what an update leaves out, as an earlier item has shown. Set Omitted Fields to Always Keep, or name the contact by email.',
	});
}
