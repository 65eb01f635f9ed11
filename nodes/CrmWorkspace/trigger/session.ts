import type { IPollFunctions } from 'n8n-workflow';
import { realClock } from '../transport/clock';
import { openConnection, type Connection } from '../transport/connection';
import type { Settings } from './settings';
import { budgetOf, timeLeft, type Budget } from './time';

/** For which part of the time a single request may wait. */
const patience = 0.9;

/** Where records are asked for, which contacts, and for how long. */
export interface Source {
	connection: Connection;
	budget: Budget;
	/** Text that contacts have to match; empty for all. */
	search: string;
}

/** What a poll works with. */
export interface Poll {
	context: IPollFunctions;
	settings: Settings;
	source: Source;
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
	// Who waits for all of it is told of the rate limit, not that time was over.
	const connection = await openConnection(context, budget.timeout, patience * timeLeft(budget));
	const isDone = new AbortController();
	void realClock.wait(timeLeft(budget), isDone.signal).then(() => connection.close());
	try {
		const { search } = settings;
		return await work({ context, settings, source: { connection, budget, search } });
	} finally {
		isDone.abort();
	}
}
