import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { list } from './list';
import type { Operation } from './operation';
import { failAll } from './runItems';
import { sendTransactionalEmail } from './sendTransactionalEmail';
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
 * Runs the operation that the node is set to. Where the node continues on errors, an error of the
 * whole run becomes one of each item.
 * @throws NodeOperationError or NodeApiError where it does not
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const operation = context.getNodeParameter('operation', 0) as OperationName;
	const output = operations[operation].execute(context);
	if (!context.continueOnFail()) return await output;
	return await output.catch((error: unknown) => failAll(context, error));
}
