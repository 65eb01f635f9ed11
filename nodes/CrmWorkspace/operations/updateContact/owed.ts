import type { IExecuteFunctions } from 'n8n-workflow';
import type { ContactFields } from '../../service/records';

/** What a contact is owed by an update that may have emptied it. */
export interface Debt {
	/** The values that it had in the fields that were left out. */
	others: ContactFields;
	/** The fields of the update itself. */
	written: ContactFields;
	/** The address that it had. */
	address?: string;
}

/** What contacts are owed, by their IDs, until it is written back. */
export type Owed = Record<string, Debt>;

/** The addresses that a contact may have: the one before the update, and that of the update. */
export function addressesOf({ address, written }: Debt): string[] {
	return [...new Set([address, written.email])].flatMap((one) => one || []);
}

/**
 * What earlier tries of this turn have left owing. n8n hands the object on from one try of Retry On
 * Fail to the next, which reads the contacts as they are by then. Another turn or execution begins
 * anew: contacts may have changed since.
 */
export function owedIn(context: IExecuteFunctions): Owed {
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
): { owed?: { turn: string; contacts: Owed } } | undefined {
	try {
		return context.getContext('node');
	} catch {
		return undefined;
	}
}
