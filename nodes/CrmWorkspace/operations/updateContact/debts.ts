import type { NodeExecutionHint } from 'n8n-workflow';
import { listed } from '../../text/plainText';
import { hint } from '../../transport/hint';
import type { ItemProblem } from '../itemProblem';
import { unread, type KnownContact } from './knownContact';
import { shownIn } from './omittedFields';
import { lookUp, nameOf, payBack, type PaidBack, type Writing } from './payBack';

/** What becomes of what contacts are owed by updates that nothing has answered or made good. */
export class Debts {
	/** Names of the contacts to which it was written back. */
	private readonly restored: string[] = [];

	/** What earlier tries have cost and could not be written back, by the IDs of the contacts. */
	private readonly losses = new Map<string, ItemProblem>();

	/** Those of which an item has told. */
	private readonly told = new Set<ItemProblem>();

	constructor(private readonly writing: Writing) {}

	/**
	 * Gives contacts back what earlier tries of the run may have cost them.
	 * @returns the first loss that stays
	 */
	async settleEarlier(): Promise<ItemProblem | undefined> {
		for (const id of Object.keys(this.writing.owed)) {
			const { loss } = await this.settle(id);
			if (loss) this.losses.set(id, loss);
		}
		return [...this.losses.values()][0];
	}

	/** Writes back what a contact is owed, if the list does not show that all of it is still there. */
	async settle(id: string): Promise<PaidBack> {
		const { omitted, owed } = this.writing;
		const debt = owed[id];
		// A later item may have paid it.
		if (!debt) return {};
		const record = await lookUp(this.writing, id, debt);
		if (record && shownIn(debt.others, record).empty.length === 0) {
			// That proves nothing of the service: the update may never have been made.
			delete owed[id];
			return {};
		}
		omitted.conclude(record ? 'lost' : 'open');
		const paid = await payBack(this.writing, unread(id), record ?? {});
		if (paid.second && !paid.loss) this.restored.push(nameOf(id, debt));
		return paid;
	}

	/** @throws ItemProblem when an earlier try has cost the contact what it did not get back */
	refuseIfLost({ id }: KnownContact): void {
		const loss = this.losses.get(id);
		if (!loss) return;
		this.told.add(loss);
		throw loss;
	}

	/** What was written back, and what was lost by a contact that no item has found. */
	hints(): NodeExecutionHint[] {
		const untold = [...this.losses.values()].filter((loss) => !this.told.has(loss));
		const ofLosses = untold.map(({ message, advice }) => hint(`${message}. ${advice}`, 'warning'));
		if (this.restored.length === 0) return ofLosses;
		const message = `What an update without success may have cost was written back: ${listed(this.restored)}`;
		return [...ofLosses, hint(message)];
	}
}
