import type { IExecuteFunctions, INodeParameterResourceLocator } from 'n8n-workflow';
import { emailProblem, isUuid } from '../../service/formats';
import { visible } from '../../transport/visible';
import { refuse } from '../refuse';
import { textOf } from '../textParameter';

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
	const text = visible(textOf(context, value, { itemIndex, displayName: 'Contact' }));
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
