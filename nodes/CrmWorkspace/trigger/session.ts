import type { IPollFunctions } from 'n8n-workflow';
import { realClock } from '../transport/clock';
import { openConnection, type Connection } from '../transport/connection';
import type { Settings } from './settings';
import { budgetOf, timeLeft, type Budget } from './time';

/** What a poll works with. */
export interface Poll {
	context: IPollFunctions;
	connection: Connection;
	settings: Settings;
	budget: Budget;
}

/**
 * Does something with a connection for as long as the poll has time: then no further request begins.
 * @throws NodeOperationError when the credential must not be used
 */
export async function withinBudget<Result>(
	context: IPollFunctions,
	settings: Settings,
	work: (poll: Poll) => Promise<Result>,
): Promise<Result> {
	const budget = budgetOf(context);
	const connection = await openConnection(context, budget.timeout, timeLeft(budget));
	const isDone = new AbortController();
	void realClock.wait(timeLeft(budget), isDone.signal).then(() => connection.close());
	try {
		return await work({ context, connection, settings, budget });
	} finally {
		isDone.abort();
	}
}
