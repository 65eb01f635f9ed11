import {
	NodeOperationError,
	type IExecuteData,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IRunExecutionData,
} from 'n8n-workflow';
import { Cancelled } from '../transport/failure';

/**
 * Gives what a run puts out; null if n8n cancels the execution meanwhile, because its timeout is over
 * or somebody stops it. n8n then stores what is on its stack at that very moment, and a retry goes on
 * with that. The entry of the run that is under way is not there: n8n puts it back once the node has
 * thrown, unless the node continues on errors, and with Retry On Fail only after all tries. So the run
 * puts it back itself, at once.
 */
export async function putBackWhenCancelled(
	context: IExecuteFunctions,
	run: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][] | null> {
	const cancel = context.getExecutionCancelSignal();
	let isPutBack = false;
	const onCancel = () => (isPutBack = putBack(context));
	cancel?.addEventListener('abort', onCancel);
	try {
		const items = await run().catch((error: unknown) => {
			if (isPutBack) return [];
			throw error;
		});
		return isPutBack ? null : [items];
	} finally {
		cancel?.removeEventListener('abort', onCancel);
	}
}

/** @returns whether the run has an entry of its own on n8n's stack: that of a tool is its agent's */
function putBack(context: IExecuteFunctions): boolean {
	const { runExecutionData } = context as unknown as { runExecutionData?: IRunExecutionData };
	const stack = runExecutionData?.executionData?.nodeExecutionStack;
	const entry = context.getExecuteData();
	const { node } = entry;
	if (!stack || node.name !== context.getNode().name) return false;
	stack.unshift({ ...entry });
	noteStopped(context, entry, runExecutionData.resultData);
	// The entry that n8n still holds ends here: with Always Output Data it would put out an empty item.
	entry.node = { ...node, alwaysOutputData: false };
	return true;
}

/** Notes what n8n notes of a run that has failed: it shows it, and takes it away before a retry. */
function noteStopped(
	context: IExecuteFunctions,
	{ node, source }: IExecuteData,
	resultData: IRunExecutionData['resultData'],
): void {
	const description = `Its timeout was over, or somebody stopped it. A retry does what is missing; only messages without an idempotency key are all sent again. n8n's executions list offers no Retry for it, but n8n's API does: POST /api/v1/executions/${context.getExecutionId()}/retry with {"loadWorkflow":true}.`;
	const error = new NodeOperationError(node, new Cancelled(), {
		// Of those that are begun in the editor, n8n keeps nothing to retry.
		description: context.getMode() === 'manual' ? undefined : description,
	});
	const { runData } = resultData;
	resultData.lastNodeExecuted = node.name;
	(runData[node.name] ??= []).push({
		startTime: Date.now(),
		executionTime: 0,
		executionIndex: Object.values(runData).flat().length,
		source: source?.main ?? [],
		executionStatus: 'error',
		// Of an Error, JSON has no message.
		error: Object.assign({ ...error }, { message: error.message }) as NodeOperationError,
	});
}
