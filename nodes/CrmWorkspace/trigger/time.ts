import type { IPollFunctions } from 'n8n-workflow';
import { realClock } from '../transport/clock';

/** How long a poll may take where n8n does not say, in ms. */
const usualBudget = 5 * 60_000;

/**
 * The same for the poll with which n8n activates a workflow, because the user waits for it, in ms.
 */
const activationBudget = 10_000;

/** How long one request may take, in ms. */
const longestRequest = 30_000;

/** How long a poll may take, in ms. */
export interface Budget {
	/** For one request. */
	timeout: number;
	/** Until when requests may begin, by `realClock`. */
	deadline: number;
}

const activeContexts = new WeakSet<object>();

/**
 * The budget of a poll. n8n uses one context as long as a workflow is active, and polls for the
 * first time while it activates it: a new context means activation.
 */
export function budgetOf(context: IPollFunctions): Budget {
	// Older versions of n8n do not have this method.
	const budget = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? usualBudget;
	const timeout = Math.min(longestRequest, budget / 3);
	// A version of n8n that gives polls a budget also gives each poll a context of its own.
	const isActivation = budget >= usualBudget && !activeContexts.has(context);
	activeContexts.add(context);
	const requestBudget = Math.min(budget - timeout, isActivation ? activationBudget : Infinity);
	return { timeout, deadline: realClock.now() + requestBudget };
}

/** How much of a budget is left for requests to begin in, in ms; none when it is over. */
export function timeLeft({ deadline }: Budget): number {
	return Math.max(0, deadline - realClock.now());
}
