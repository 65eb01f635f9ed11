import type { NodeExecutionHint } from 'n8n-workflow';
import { listed } from '../../text/plainText';
import { hint } from '../../text/hint';
import type { ItemProblem } from '../itemProblem';
import { unread, type KnownContact } from './knownContact';
import { fieldsShownIn } from './omittedFields';
import { recordNow, contactName, restore, type Restored, type WriteContext } from './restore';

/** Restores from the backups of a run what updates without an answer may have cost their contacts. */
export class Restorer {
	private readonly restored: string[] = [];

	/** What earlier tries have cost and could not be restored, by the IDs of the contacts. */
	private readonly losses = new Map<string, ItemProblem>();

	private readonly told = new Set<ItemProblem>();

	constructor(private readonly writing: WriteContext) {}

	/** @returns the first loss that stays */
	async restoreEarlier(): Promise<ItemProblem | undefined> {
		for (const id of Object.keys(this.writing.backups)) {
			const { loss } = await this.restoreIfMissing(id);
			if (loss) this.losses.set(id, loss);
		}
		return [...this.losses.values()][0];
	}

	/** Restores a contact, if the list does not show that all of its backup is still there. */
	async restoreIfMissing(id: string): Promise<Restored> {
		const { omitted, backups } = this.writing;
		const backup = backups[id];
		// A later item may have restored it.
		if (!backup) return {};
		const record = await recordNow(this.writing, id, backup);
		if (record && fieldsShownIn(backup.others, record).empty.length === 0) {
			// That proves nothing of the service: the update may never have been made.
			delete backups[id];
			return {};
		}
		omitted.conclude(record ? 'lost' : 'open');
		const outcome = await restore(this.writing, unread(id), record ?? {});
		if (outcome.second && !outcome.loss) this.restored.push(contactName(id, backup));
		return outcome;
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
