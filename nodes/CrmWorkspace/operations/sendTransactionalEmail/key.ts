import type { IExecuteFunctions } from 'n8n-workflow';
import { keyFromOrigin, randomKey } from '../../service/idempotencyKey';
import { refuse } from '../refuse';

/**
 * The idempotency key of an item's send as the Idempotency parameter asks for it;
 * undefined for None.
 * @throws NodeOperationError for a custom key that is empty or longer than 255 characters
 */
export function readKey(context: IExecuteFunctions, itemIndex: number): string | undefined {
	switch (context.getNodeParameter('idempotency', itemIndex)) {
		case 'none':
			return undefined;
		case 'custom':
			return readCustomKey(context, itemIndex);
		default:
			return keyFromExecution(context, itemIndex);
	}
}

function readCustomKey(context: IExecuteFunctions, itemIndex: number): string {
	const key = String(context.getNodeParameter('idempotencyKey', itemIndex) ?? '').trim();
	if (key === '') {
		refuse(
			context,
			itemIndex,
			'Idempotency Key is empty',
			'Enter what the message is about, such as an order number, or set Idempotency to From Execution.',
		);
	}
	if (key.length > 255) {
		refuse(context, itemIndex, 'Idempotency Key is longer than 255 characters');
	}
	return key;
}

function keyFromExecution(context: IExecuteFunctions, itemIndex: number): string {
	const executionId = firstExecutionId(context);
	if (!executionId) return randomKey();
	return keyFromOrigin({
		instanceId: context.getInstanceId(),
		workflowId: context.getWorkflow().id ?? '',
		executionId,
		nodeId: context.getNode().id,
		runIndex: Number(context.getWorkflowDataProxy(itemIndex).$runIndex),
		itemIndex,
	});
}

/**
 * The execution that tried this node first. n8n gives a retried execution an ID of its own but
 * hands on what the node remembered, so remembering the first ID lets a retry repeat its keys.
 */
function firstExecutionId(context: IExecuteFunctions): string | undefined {
	const memory = context.getContext('node') as { firstExecutionId?: string };
	memory.firstExecutionId ??= context.getExecutionId();
	return memory.firstExecutionId;
}
