/**
 * Stands in for the random token of an execution before n8n 2.14. Can go once no older n8n is
 * supported.
 */
import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

/**
 * Whether n8n was killed in the execution that this one retries, after the node had begun: otherwise
 * the node leaves its logs.
 */
export function hasLostLogs(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'retry') return false;
	try {
		return context.getWorkflowDataProxy(0).$(context.getNode().name).isExecuted === true;
	} catch {
		return false;
	}
}

/**
 * When the retried execution began, which all its retries have in common. Undefined in an execution
 * that isn't a retry, or if n8n was killed: the times that it then notes are in seconds, not in ms.
 */
export function findOriginBeforeToken(context: IExecuteFunctions): string | undefined {
	if (context.getMode() !== 'retry') return undefined;
	const { runExecutionData } = context as unknown as { runExecutionData?: IRunExecutionData };
	const runs = Object.values(runExecutionData?.resultData.runData ?? {}).flat();
	const beganAt = Math.min(...runs.map(({ startTime }) => startTime));
	return beganAt > 100_000_000_000 && beganAt < Infinity ? `began ${beganAt}` : undefined;
}
