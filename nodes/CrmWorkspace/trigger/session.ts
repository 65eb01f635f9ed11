import type { IPollFunctions } from 'n8n-workflow';
import { Connection } from '../transport/connection';
import type { CrmWorkspaceCredential } from '../transport/credential';
import type { Settings } from './settings';
import { budgetOf, timeLeft, type Budget } from './time';

/**
 * What a poll needs to read records: the connection, which contacts, and how much time there is.
 */
export interface ServiceAccess {
	connection: Connection;
	budget: Budget;
	/** Text that contacts have to match; empty for all. */
	search: string;
}

export interface Poll {
	context: IPollFunctions;
	credential: CrmWorkspaceCredential;
	settings: Settings;
	access: ServiceAccess;
}

/** Does work with a connection. When the poll's time is over, no further request begins. */
export async function withinBudget<Result>(
	context: IPollFunctions,
	credential: CrmWorkspaceCredential,
	settings: Settings,
	work: (poll: Poll) => Promise<Result>,
): Promise<Result> {
	const budget = budgetOf(context);
	const patienceMs = timeLeft(budget);
	const connection = new Connection(context, credential, budget.timeout, { patienceMs });
	try {
		const { search } = settings;
		return await work({ context, credential, settings, access: { connection, budget, search } });
	} finally {
		connection.close();
	}
}
