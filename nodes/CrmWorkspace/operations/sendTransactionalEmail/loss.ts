import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

/**
 * What a node knows of the execution that the present one retries, where n8n hands on neither what
 * nodes of this package remembered of it nor a token, as n8n before 2.14 may do: that this very node
 * had begun there, so that n8n was killed in it, or after it; or that nobody knows.
 */
export type Loss = 'hadBegun' | 'unknown';

/**
 * To be found out at a node's first run in a retry. A node that ends in any other way than by n8n's
 * death leaves a memory; one that n8n's death ended leaves its name, because n8n, when it is started
 * again, notes each node that had begun.
 */
export function lossOf(context: IExecuteFunctions): Loss | undefined {
	if (hasRun(context, context.getNode().name)) return 'hadBegun';
	return isResumed(context) ? undefined : 'unknown';
}

/**
 * The first node's run of the execution that is retried, as n8n hands it on to each of its retries:
 * what they have in common, where no node of this package had begun before. Undefined where n8n
 * handed on none, because it was killed.
 */
export function firstRunOf(context: IExecuteFunctions): string | undefined {
	const { runExecutionData } = context as unknown as { runExecutionData?: IRunExecutionData };
	const [first] = Object.entries(runExecutionData?.resultData.runData ?? {})
		.flatMap(([name, runs]) => runs.map((run) => ({ name, ...run })))
		.sort((a, b) => a.startTime - b.startTime || (a.name < b.name ? -1 : 1));
	if (!first || isNote(first.startTime)) return undefined;
	return [first.name, first.startTime, first.executionTime].join(' ');
}

/** Whether n8n noted that a node had begun: that is counted in seconds since 1970, not in ms. */
function isNote(startTime: number): boolean {
	return startTime < 100_000_000_000;
}

/** Whether the retry goes on where the execution ended, and does not begin anew, as after a crash. */
function isResumed(context: IExecuteFunctions): boolean {
	// An n8n as old as 1.85 does not tell.
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
