import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

/**
 * What a node knows of a retried execution if n8n hands on neither the memory of this package's
 * nodes nor a token, which can happen before n8n 2.14:
 * - hadBegun: this very node had begun there, and n8n was killed in it or later
 * - unknown: whether it had begun is not known
 */
export type MemoryLoss = 'hadBegun' | 'unknown';

/**
 * The loss of a retried execution; undefined if nothing was lost. Has to be called at a node's
 * first run in a retry. A node always leaves a memory unless n8n was killed. In that case n8n, when
 * it is started again, notes the name of each node that had begun.
 */
export function memoryLossOf(context: IExecuteFunctions): MemoryLoss | undefined {
	if (hasRun(context, context.getNode().name)) return 'hadBegun';
	return isResumed(context) ? undefined : 'unknown';
}

/**
 * Identifies the retried execution by the run of its first node, which n8n hands on to each retry.
 * It is what several retries have in common if no node of this package had begun before. Undefined
 * if n8n handed on no run, because it was killed.
 */
export function firstRunOf(context: IExecuteFunctions): string | undefined {
	const { runExecutionData } = context as unknown as { runExecutionData?: IRunExecutionData };
	const [first] = Object.entries(runExecutionData?.resultData.runData ?? {})
		.flatMap(([name, runs]) => runs.map((run) => ({ name, ...run })))
		.sort((a, b) => a.startTime - b.startTime || (a.name < b.name ? -1 : 1));
	if (!first || isNotedStart(first.startTime)) return undefined;
	return [first.name, first.startTime, first.executionTime].join(' ');
}

/**
 * Whether a start time comes from such a note of n8n: only those are in seconds since 1970, not in
 * ms.
 */
function isNotedStart(startTime: number): boolean {
	return startTime < 100_000_000_000;
}

/**
 * Whether the retry goes on where the execution ended, and does not begin anew, as after a crash.
 */
function isResumed(context: IExecuteFunctions): boolean {
	// n8n 1.85 does not have this method.
	const source = context.getExecutionContext?.()?.source;
	return source !== undefined && source !== 'retry' && firstRunOf(context) !== undefined;
}

function hasRun(context: IExecuteFunctions, name: string): boolean {
	try {
		return context.getWorkflowDataProxy(0).$(name).isExecuted === true;
	} catch {
		return false;
	}
}
