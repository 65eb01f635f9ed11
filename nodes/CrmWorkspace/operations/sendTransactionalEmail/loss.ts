import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What a node knows of the execution that the present one retries, where n8n handed on nothing of
 * it, not even a token, as n8n before 2.14 does when it was killed: that this very node had begun
 * there, and may have sent; or nothing, as when another node failed before this one's turn came.
 */
export type Loss = 'hadBegun' | 'unknown';

/**
 * Finds out at a node's first run in a retry. When n8n is started again, it notes for each node that
 * had begun by the time it was killed that it had, with an item of n8n's own as its output.
 */
export function lossOf(context: IExecuteFunctions): Loss {
	const called = context.getNode().name;
	const { node, source } = context.getExecuteData();
	const callers = Object.values(source ?? {}).flatMap((sources) =>
		(sources ?? []).flatMap((one) => one?.previousNode ?? []),
	);
	const around = [called, node.name, ...callers].flatMap((name) => [
		name,
		...context.getParentNodes(name).map((parent) => parent.name),
	]);
	const wasKilled = around.some((name) => isNotedByN8n(context, name));
	const hadBegun = [called, node.name].some((name) => hasRun(context, name));
	return wasKilled && hadBegun ? 'hadBegun' : 'unknown';
}

function isNotedByN8n(context: IExecuteFunctions, name: string): boolean {
	try {
		const [item] = context.getWorkflowDataProxy(0).$items(name, 0, 0);
		return item.json.isArtificialRecoveredEventItem === true;
	} catch {
		// It has no output, or none that can be asked for.
		return false;
	}
}

function hasRun(context: IExecuteFunctions, name: string): boolean {
	try {
		return context.getWorkflowDataProxy(0).$(name).isExecuted === true;
	} catch {
		return false;
	}
}
