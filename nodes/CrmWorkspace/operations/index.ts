import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { list } from './list';
import type { Operation, Output } from './operation';
import { apiKeyOf, Outgoing } from '../transport/outgoing';
import { refuse } from '../parameters/refuse';
import { failAll } from './runItems';
import { sendTransactionalEmail } from './sendTransactionalEmail';
import { noteBegin } from './sendTransactionalEmail/lineage';
import { updateContact } from './updateContact';

/** The operations by the values of the Operation parameter. */
export const operations = { sendTransactionalEmail, updateContact, list } satisfies Record<
	string,
	Operation
>;

/** A value of the Operation parameter. */
type OperationName = keyof typeof operations;

/** The parameters of all operations, each shown only while its operation is chosen. */
export const operationProperties: INodeProperties[] = Object.entries<Operation>(operations).flatMap(
	([operation, { properties }]) =>
		updateDisplayOptions({ show: { operation: [operation] } }, properties),
);

/**
 * Runs the chosen operation. If the node is set to continue on errors, an error of the whole run
 * becomes an error item for each input item.
 * @throws NodeOperationError or NodeApiError if it is not
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	noteBegin(context);
	const outgoing = new Outgoing();
	try {
		outgoing.withhold(await apiKeyOf(context));
		return await handOut(
			context,
			outgoing,
			await operations[readOperation(context)].execute(context),
		);
	} catch (error) {
		if (!context.continueOnFail()) throw outgoing.error(error);
		return await handOut(context, outgoing, await failAll(context, error));
	}
}

async function handOut(
	context: IExecuteFunctions,
	outgoing: Outgoing,
	{ items, hints }: Output,
): Promise<INodeExecutionData[]> {
	context.addExecutionHints(...outgoing.hints(hints));
	return await outgoing.items(items);
}

function readOperation(context: IExecuteFunctions): OperationName {
	const operation: unknown = context.getNodeParameter('operation', 0);
	const names = Object.keys(operations) as OperationName[];
	const advice = `An expression has to give ${names.join(' or ')}.`;
	return (
		names.find((name) => name === operation) ??
		refuse(context, 0, 'Operation is not one that this node has', advice)
	);
}
