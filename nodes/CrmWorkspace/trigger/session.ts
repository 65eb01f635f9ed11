import type { IPollFunctions } from 'n8n-workflow';
import { realClock } from '../transport/clock';
import { openConnection, type Connection } from '../transport/connection';
import type { Settings } from './settings';
import { budgetOf, timeLeft, type Budget } from './time';

/** What part of the poll's time a single request may wait. */
const patience = 0.9;

/**
 * What a poll needs to read records: the connection, which contacts, and how much time there is.
 */
export interface ServiceAccess {
	connection: Connection;
	budget: Budget;
	/** Text that contacts have to match; empty for all. */
	search: string;
}

/** What a poll works with. */
export interface Poll {
	context: IPollFunctions;
	settings: Settings;
	access: ServiceAccess;
}

/**
 * Does work with a connection. When the poll's time is over, no further request begins.
 * @throws NodeOperationError when the credential must not be used
 */
export async function withinBudget<Result>(
	context: IPollFunctions,
	settings: Settings,
	work: (poll: Poll) => Promise<Result>,
): Promise<Result> {
	const budget = budgetOf(context);
	// Less than the whole time, so that a request held up by the rate limit fails with that reason.
	const connection = await openConnection(context, budget.timeout, patience * timeLeft(budget));
	const isDone = new AbortController();
	void realClock.wait(timeLeft(budget), isDone.signal).then(() => connection.close());
	try {
		const { search } = settings;
		return await work({ context, settings, access: { connection, budget, search } });
	} finally {
		isDone.abort();
	}
}
