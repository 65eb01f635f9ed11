import type { IPollFunctions } from 'n8n-workflow';
import { Cancelled, RequestFailure } from '../transport/failure';

/** How long a poll may take if n8n doesn't limit it. */
const usualBudgetMs = 5 * 60_000;

/** The same for the poll with which n8n activates a workflow: the user waits for it. */
const activationBudgetMs = 10_000;

const longestRequestMs = 30_000;

const activeContexts = new WeakSet<object>();

/** How long one request of a poll may take, and for how long requests may begin. */
export function getPollBudget(context: IPollFunctions): { timeoutMs: number; patienceMs: number } {
	// Older versions of n8n don't have this method.
	const budgetMs = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? usualBudgetMs;
	const timeoutMs = Math.min(longestRequestMs, budgetMs / 3);
	// n8n has one context for as long as a workflow is active, or a context and a budget for each poll.
	const isActivation = budgetMs >= usualBudgetMs && !activeContexts.has(context);
	activeContexts.add(context);
	const limitMs = isActivation ? activationBudgetMs : Infinity;
	return { timeoutMs, patienceMs: Math.min(budgetMs - timeoutMs, limitMs) };
}

/** What was read, or something else if the poll had no time for it. @throws whatever else went wrong */
export async function readInTime<Read>(reading: Promise<Read>, otherwise: Read): Promise<Read> {
	return await reading.catch((error: unknown) => {
		const hasNoRoom = error instanceof RequestFailure && error.details.kind === 'noRoom';
		if (!hasNoRoom && !(error instanceof Cancelled)) throw error;
		return otherwise;
	});
}
