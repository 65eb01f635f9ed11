/**
 * The operations of the node, and a run of one of them. Whatever the operation, the items come out in
 * input order, each linked to its input, and an error names its item.
 */
import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import type { HttpClient } from '../client/client';
import type { Hint } from '../common/text';
import {
	credentialName,
	readCredentialOfRun,
	type CrmWorkspaceCredential,
} from '../n8n/credential';
import { showHints } from '../n8n/errors';
import { createClient } from '../n8n/http';
import { describeWaits, texts as credentialTexts } from '../n8n/texts';
import { ParameterReader } from '../parameters/parameterReader';
import { requestOptions } from '../parameters/properties';
import { texts } from '../parameters/texts';
import { list } from './list';
import type { Operation } from './operation';
import { runItems } from './runItems';
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
 * Runs the chosen operation.
 * @param continuesOnFail whether the error of an item becomes an error item
 * @throws what ends the run: the API key is in no error and no hint that leaves
 */
export async function runOperation(
	context: IExecuteFunctions,
	continuesOnFail: boolean,
): Promise<INodeExecutionData[]> {
	let client: HttpClient | undefined;
	try {
		const operation: Operation = operations[readOperation(context)];
		const credential = await readCredentialOfRun(context);
		const { concurrency, timeoutMs } = readRequestOptions(context);
		client = createClient(context, credential, timeoutMs);
		const run = { context, client, concurrency, continuesOnFail };
		const work = operation.begin(run);
		const items = await runItems(run, work).finally(() => work.close?.());
		const waits = describeWaits(client.statistics);
		showHints(context, [
			...describeLiveKey(context, credential),
			...(waits ? [{ message: waits }] : []),
			...work.hints(),
		]);
		return items;
	} finally {
		client?.close();
	}
}

/** A warning for a run in the editor: nothing else at the node shows that the key is live. */
function describeLiveKey(context: IExecuteFunctions, { mode }: CrmWorkspaceCredential): Hint[] {
	if (mode !== 'live' || context.getMode() !== 'manual') return [];
	const { name = '' } = context.getNode().credentials?.[credentialName] ?? {};
	return [{ message: credentialTexts.usedLiveKey(name), type: 'warning' }];
}

function readOperation(context: IExecuteFunctions): keyof typeof operations {
	const operation = context.getNodeParameter('operation', 0) as keyof typeof operations;
	if (Object.hasOwn(operations, operation)) return operation;
	const problem = texts.notChosenFrom('Operation', operation, Object.keys(operations));
	return new ParameterReader(context, 0).refuse(problem);
}

/** The values of `requestOptions` for a run. @throws NodeOperationError if one is out of range */
function readRequestOptions(context: IExecuteFunctions) {
	const reader = new ParameterReader(context, 0);
	const read = (option: INodeProperties) =>
		reader.number({ ...option, name: `options.${option.name}` });
	return {
		concurrency: read(requestOptions.concurrency),
		timeoutMs: 1000 * read(requestOptions.timeout),
	};
}
