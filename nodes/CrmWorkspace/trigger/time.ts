import type { IPollFunctions } from 'n8n-workflow';
import { realClock } from '../transport/clock';

/** How long a poll may take where n8n does not say, in ms. */
const usualBudget = 5 * 60_000;

/** As long as that the user waits for a workflow to become active: n8n polls first, in ms. */
const activationBudget = 10_000;

/** How long one request may take, in ms. */
const longestRequest = 30_000;

/** What a poll may take, in ms. */
export interface Budget {
	/** One request. */
	timeout: number;
	/** Until then, by `realClock`, requests may begin. */
	deadline: number;
}

const known = new WeakSet<object>();

/** n8n polls in one context for as long as a workflow is active, and for the first time as it becomes so. */
export function budgetOf(context: IPollFunctions): Budget {
	// An older n8n knows no budget.
	const budget = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? usualBudget;
	const timeout = Math.min(longestRequest, budget / 3);
	// Where n8n says how long a poll may take, each has a context of its own.
	const isActivation = budget >= usualBudget && !known.has(context);
	known.add(context);
	const reading = Math.min(budget - timeout, isActivation ? activationBudget : Infinity);
	return { timeout, deadline: realClock.now() + reading };
}

/** How much of a budget is left for requests to begin in, in ms; none when it is over. */
export function timeLeft({ deadline }: Budget): number {
	return Math.max(0, deadline - realClock.now());
}
