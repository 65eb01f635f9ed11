import type { IDataObject, IExecuteFunctions, INodeParameterResourceLocator } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { emailProblem, isUuid } from '../../service/formats';
import { walkContacts } from '../../service/walk';
import type { Connection } from '../../transport/connection';
import { refuse } from '../refuse';

/** How the user names a contact. */
export type ContactReference = { id: string } | { email: string };

/**
 * Reads which contact an item is for.
 * @throws NodeOperationError for an id or an email address that cannot be one
 */
export function readReference(context: IExecuteFunctions, itemIndex: number): ContactReference {
	const { mode, value } = context.getNodeParameter(
		'contact',
		itemIndex,
	) as INodeParameterResourceLocator;
	const text = String(value ?? '').trim();
	if (mode === 'email') {
		const problem = emailProblem(text);
		if (problem) refuse(context, itemIndex, `Contact is ${problem}`, 'Enter one email address.');
		return { email: text };
	}
	if (!isUuid(text)) {
		refuse(
			context,
			itemIndex,
			text === '' ? 'Contact is empty' : 'Contact is not a UUID',
			'Choose a contact from the list, or enter its ID, like 7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33, or its email address.',
		);
	}
	return { id: text };
}

/**
 * The one current contact that a reference means.
 * @throws NodeOperationError when there is none, or more than one
 */
export async function findContact(
	context: IExecuteFunctions,
	connection: Connection,
	reference: ContactReference,
	itemIndex: number,
): Promise<IDataObject> {
	const matches = await matchesOf(connection, reference);
	if (matches.length === 1) return matches[0];

	const name = 'email' in reference ? `email ${reference.email}` : `ID ${reference.id}`;
	throw new NodeOperationError(
		context.getNode(),
		matches.length === 0
			? `There is no contact with the ${name}`
			: `${matches.length} contacts have the ${name}: ${matches.map(({ id }) => id).join(', ')}`,
		{ itemIndex },
	);
}

async function matchesOf(
	connection: Connection,
	reference: ContactReference,
): Promise<IDataObject[]> {
	const isMeant = (contact: IDataObject) =>
		'email' in reference
			? normalized(contact.email) === normalized(reference.email)
			: normalized(contact.id) === normalized(reference.id);
	if ('email' in reference) {
		const found = await walkContacts(connection, { limit: Infinity, search: reference.email });
		const matches = found.filter(isMeant);
		if (matches.length > 0) return matches;
	}
	return (await walkContacts(connection, { limit: Infinity })).filter(isMeant);
}

function normalized(text: unknown): string {
	return String(text ?? '')
		.trim()
		.toLowerCase();
}
