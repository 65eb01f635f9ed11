import type { IExecuteFunctions, INodeParameterResourceLocator } from 'n8n-workflow';
import { emailProblem, isUuid } from '../../service/formats';
import { refuse } from '../refuse';
import { textOf } from '../textParameter';
import type { KnownContact } from './apply';
import type { ContactFinder } from './contactFinder';
import type { Update } from './update';

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
	const text = textOf(context, value, { itemIndex, displayName: 'Contact' }).trim();
	if (mode === 'email') {
		const problem = emailProblem(text);
		if (problem) {
			refuse(
				context,
				itemIndex,
				`Contact is ${problem}`,
				'Enter the email address of one contact, like nathan@example.com.',
			);
		}
		return { email: text };
	}
	if (!isUuid(text)) {
		refuse(
			context,
			itemIndex,
			text === '' ? 'Contact is empty' : 'Contact is not a UUID',
			'Choose a contact from the list, or enter its ID, like 7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33. To name it by its email address, set Contact to By Email.',
		);
	}
	return { id: text };
}

/**
 * The one contact that an item is for, with its current record where that is needed or spares a
 * write.
 * @throws NodeOperationError when there is no such contact, or more than one
 */
export async function findContact(
	context: IExecuteFunctions,
	finder: ContactFinder,
	{ reference, preserve }: Update,
	itemIndex: number,
): Promise<KnownContact> {
	if ('email' in reference) return await findByEmail(context, finder, reference.email, itemIndex);

	const record = await finder.withId(reference.id);
	if (preserve && !record) {
		refuse(
			context,
			itemIndex,
			`There is no contact with the ID ${reference.id}`,
			`${await extentOfSearch(finder)} It may be deleted, or belong to the data of the other mode: test and live data are separate.`,
		);
	}
	return { id: reference.id, record, isCurrent: record !== undefined };
}

async function findByEmail(
	context: IExecuteFunctions,
	finder: ContactFinder,
	email: string,
	itemIndex: number,
): Promise<KnownContact> {
	const matches = await finder.withEmail(email);
	if (matches.length === 0) {
		refuse(
			context,
			itemIndex,
			`There is no contact with the email ${email}`,
			`${await extentOfSearch(finder)} Check the address, and the mode of the credential: test and live data are separate.`,
		);
	}
	if (matches.length > 1) {
		refuse(
			context,
			itemIndex,
			`${matches.length} contacts have the email ${email}: ${matches.map(({ id }) => id).join(', ')}`,
			'Nothing was changed. Give each an email address of its own, or choose one By ID.',
		);
	}
	const [record] = matches;
	return { id: String(record.id), record, isCurrent: true };
}

async function extentOfSearch(finder: ContactFinder): Promise<string> {
	return (await finder.isCertain())
		? 'All contacts were read.'
		: 'All contacts were read, but some came or went meanwhile, so it may be there all the same: try again.';
}
