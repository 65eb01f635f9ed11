import { NodeOperationError } from 'n8n-workflow';
import type { ParameterContext } from './parameterContext';

/**
 * Refuses an item before any request is made.
 * @param problem what is wrong, with the parameter's display name
 * @param advice what to do about it
 * @throws NodeOperationError always, naming the item
 */
export function refuse(
	context: ParameterContext,
	itemIndex: number,
	problem: string,
	advice?: string,
): never {
	throw new NodeOperationError(context.getNode(), problem, { itemIndex, description: advice });
}
