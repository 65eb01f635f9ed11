import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { list } from './list';
import type { Operation } from './operation';
import { sendTransactionalEmail } from './sendTransactionalEmail';
import { updateContact } from './updateContact';

/** The operations by the values of the Operation parameter. */
export const operations = { sendTransactionalEmail, updateContact, list } satisfies Record<
	string,
	Operation
>;

/** A value of the Operation parameter. */
export type OperationName = keyof typeof operations;

/** The parameters of all operations, each shown only while its operation is chosen. */
export const operationProperties: INodeProperties[] = Object.entries<Operation>(operations).flatMap(
	([operation, { properties }]) =>
		updateDisplayOptions({ show: { operation: [operation] } }, properties),
);
