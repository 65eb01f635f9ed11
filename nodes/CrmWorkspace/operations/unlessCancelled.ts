import type { IExecuteFunctions, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

/**
 * Gives what a run puts out; null if n8n cancels the execution meanwhile, because its timeout is over
 * or somebody stops it. Of such an execution, n8n stores what is on its stack. There it puts a node
 * that has failed, but not one that continues on errors, and one that is tried again too late: Retry
 * would end green, and the rest would never be done. So the run goes back on the stack itself, the
 * moment it is cancelled, and puts out nothing: Retry goes on with it.
 */
export async function unlessCancelled(
	context: IExecuteFunctions,
	run: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][] | null> {
	const cancel = context.getExecutionCancelSignal();
	let isPutBack = false;
	const onCancel = () => (isPutBack = putBack(context));
	cancel?.addEventListener('abort', onCancel);
	try {
		const items = await run();
		return isPutBack ? null : [items];
	} catch (error) {
		if (isPutBack) return null;
		throw error;
	} finally {
		cancel?.removeEventListener('abort', onCancel);
	}
}

/** @returns whether the run has a place on n8n's stack of its own: that of a tool is its agent's */
function putBack(context: IExecuteFunctions): boolean {
	const { runExecutionData } = context as unknown as { runExecutionData?: IRunExecutionData };
	const stack = runExecutionData?.executionData?.nodeExecutionStack;
	const entry = context.getExecuteData();
	const { node } = entry;
	if (!stack || node.name !== context.getNode().name) return false;
	stack.unshift({ ...entry });
	// As after an error: Retry goes by it.
	runExecutionData.resultData.lastNodeExecuted = node.name;
	// Of the run that ends now, not of the one that is retried.
	entry.node = { ...node, alwaysOutputData: false };
	return true;
}
