/**
 * The operations of the node. Whatever the operation, the items come out in input order, each linked
 * to its input, and an error names its item. No operation knows of HTTP.
 */
import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { list } from './list';
import { ParameterReader } from '../parameters/parameterReader';
import { Connection } from '../transport/connection';
import { readCredentialOfRun } from '../transport/credential';
import { readRequestOptions } from './requestOptions';
import { toNodeError } from '../transport/nodeError';
import { failAll, type Operation } from './runItems';
import { sendTransactionalEmail } from './sendTransactionalEmail';
import { updateContact } from './updateContact';

/** The operations by the values of the Operation parameter. */
const operations = { sendTransactionalEmail, updateContact, list } satisfies Record<
	string,
	Operation
>;

/** The parameters of all operations, each shown only while its operation is chosen. */
export const operationProperties: INodeProperties[] = Object.entries<Operation>(operations).flatMap(
	([operation, { properties }]) =>
		updateDisplayOptions({ show: { operation: [operation] } }, properties),
);

/**
 * Runs the chosen operation. If the node is set to continue on errors, an error of the whole run
 * becomes an error item for each input item. The API key is in no error and no hint that leaves.
 * @throws NodeOperationError or NodeApiError if it is not
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	let connection: Connection | undefined;
	try {
		const operation = operations[readOperation(context)];
		const credential = await readCredentialOfRun(context);
		connection = new Connection(context, credential, readRequestOptions(context).timeoutMs);
		const { items, hints } = await operation.execute(context, connection);
		// A tool has none before n8n 1.118.
		if ('addExecutionHints' in context) context.addExecutionHints(...hints);
		return items;
	} catch (error) {
		if (!context.continueOnFail()) throw toNodeError(context.getNode(), error);
		return await failAll(context, error);
	} finally {
		connection?.close();
	}
}

function readOperation(context: IExecuteFunctions): keyof typeof operations {
	const operation = context.getNodeParameter('operation', 0) as keyof typeof operations;
	if (Object.hasOwn(operations, operation)) return operation;
	const advice = `Use ${Object.keys(operations).join(' or ')}.`;
	return new ParameterReader(context, 0).refuse("'Operation' has an invalid value", advice);
}
