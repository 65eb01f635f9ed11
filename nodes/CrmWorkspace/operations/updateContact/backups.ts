import type { IExecuteFunctions } from 'n8n-workflow';
import type { ContactFields } from '../../service/records';

/** What a contact had before an update that may have emptied fields of it. */
export interface Backup {
	/** The values that it had in the fields that were left out. */
	others: ContactFields;
	written: ContactFields;
	/** The address that it had. */
	address?: string;
}

/** Backups by the IDs of their contacts, each until it is restored or seen not to be needed. */
export type Backups = Record<string, Backup>;

/** The addresses that a contact may have: the one before the update, and that of the update. */
export function addressesOf({ address, written }: Backup): string[] {
	return [...new Set([address, written.email])].flatMap((one) => one || []);
}

/**
 * The backups of this turn, those of earlier tries included. n8n hands the object on from one try of
 * Retry On Fail to the next, which reads the contacts as they are by then. Another turn or execution
 * begins anew: contacts may have changed since. n8n stores them, so their property names must not
 * change.
 */
export function backupsIn(context: IExecuteFunctions): Backups {
	const execution = context.getExecutionId();
	const kept = execution && keptForNode(context);
	if (!kept) return {};
	const turn = `${execution} ${String(context.getWorkflowDataProxy(0).$runIndex)}`;
	if (kept.owed?.turn !== turn) kept.owed = { turn, contacts: {} };
	return kept.owed.contacts;
}

/** Undefined where n8n keeps nothing, as for some of its agents. */
function keptForNode(
	context: IExecuteFunctions,
): { owed?: { turn: string; contacts: Backups } } | undefined {
	try {
		return context.getContext('node');
	} catch {
		return undefined;
	}
}
