/** Stands in for the random token of an execution. Can go once no n8n before 2.14 is supported. */
import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

/** Before this, a moment is in seconds: n8n notes so what it finds of an execution that crashed. */
const firstMs = 100_000_000_000;

/**
 * When the retried execution began, which all its retries have in common. Undefined if n8n has lost
 * it, because it was killed.
 */
export function findOriginBeforeToken(context: IExecuteFunctions): string | undefined {
	const { runExecutionData, additionalData } = context as unknown as {
		runExecutionData?: IRunExecutionData;
		additionalData?: { currentNodeExecutionIndex?: number };
	};
	const runs = Object.values(runExecutionData?.resultData.runData ?? {}).flat();
	// n8n counts the runs of each execution from 0, with the one that has begun.
	const ownRuns = (additionalData?.currentNodeExecutionIndex ?? 1) - 1;
	const beganAt = Math.min(...runs.map(({ startTime }) => startTime));
	return runs.length > ownRuns && beganAt > firstMs ? `began ${beganAt}` : undefined;
}
