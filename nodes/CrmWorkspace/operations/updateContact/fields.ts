import type { IDataObject, IExecuteFunctions, ResourceMapperFields } from 'n8n-workflow';
import { emailProblem, isUuid } from '../../service/formats';
import { contactSources, type ContactFields } from '../../service/records';
import { refuse } from '../refuse';

type FieldName = keyof ContactFields;

const displayNames: Record<FieldName, string> = {
	firstName: 'First Name',
	lastName: 'Last Name',
	email: 'Email',
	phone: 'Phone',
	company: 'Company',
	jobTitle: 'Job Title',
	accountId: 'Account ID',
	source: 'Source',
	tags: 'Tags',
	notes: 'Notes',
};

/** The ten fields of a contact that can be set, in the order of the interface. */
export const fieldNames = Object.keys(displayNames) as FieldName[];

/** Load method of the Fields parameter: the ten fields with their types. */
export async function getContactFields(): Promise<ResourceMapperFields> {
	return {
		fields: fieldNames.map((name) => ({
			id: name,
			displayName: displayNames[name],
			required: false,
			defaultMatch: false,
			display: true,
			...fieldType(name),
		})),
	};
}

/**
 * Reads what an item changes: by hand, or from the input's columns of the same names. Empty
 * fields are left out.
 * @throws NodeOperationError for a value that cannot be right, and when nothing is left to change
 */
export function readFields(context: IExecuteFunctions, itemIndex: number): ContactFields {
	const isAutomatic =
		context.getNodeParameter('fields.mappingMode', itemIndex) === 'autoMapInputData';
	const values = isAutomatic
		? context.getInputData()[itemIndex].json
		: (context.getNodeParameter('fields.value', itemIndex, {}) as IDataObject | null);

	const entries = fieldNames
		.filter((name) => !isEmpty(values?.[name]))
		.map((name) => [name, readField(context, itemIndex, name, values?.[name])]);
	if (entries.length === 0) {
		refuse(
			context,
			itemIndex,
			'Fields has nothing to update',
			isAutomatic
				? `The input has no column with a value named ${fieldNames.join(', ')}.`
				: 'Enter a value for at least one field.',
		);
	}
	return Object.fromEntries(entries) as ContactFields;
}

function readField(
	context: IExecuteFunctions,
	itemIndex: number,
	name: FieldName,
	value: unknown,
): string | string[] {
	const problem = (what: string, advice?: string): never =>
		refuse(context, itemIndex, `${displayNames[name]} ${what}`, advice);
	if (name === 'tags') {
		return tagsIn(value) ?? problem('is neither a list nor comma-separated text');
	}
	if (typeof value === 'object') problem('is not text');

	const text = String(value).trim();
	if (name === 'email') {
		const what = emailProblem(text);
		if (what) problem(`is ${what}`);
	}
	if (name === 'accountId' && !isUuid(text)) problem('is not a UUID');
	if (name === 'source' && !(contactSources as readonly string[]).includes(text)) {
		problem(`is “${text}”, which the service does not know`, `Use ${contactSources.join(', ')}.`);
	}
	return text;
}

/** Tags from a list of texts or from comma-separated text; undefined for anything else. */
export function tagsIn(value: unknown): string[] | undefined {
	const list: unknown = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(list) || list.some((tag) => typeof tag !== 'string')) return undefined;
	return (list as string[]).map((tag) => tag.trim()).filter((tag) => tag !== '');
}

function fieldType(name: FieldName) {
	switch (name) {
		case 'source':
			return {
				type: 'options' as const,
				options: contactSources.map((source) => ({ name: sourceLabel(source), value: source })),
			};
		case 'tags':
			return { type: 'string' as const };
		default:
			return { type: 'string' as const };
	}
}

function sourceLabel(source: string): string {
	return source.replace(
		/(^|_)([a-z])/g,
		(_match, gap: string, letter: string) => `${gap && ' '}${letter.toUpperCase()}`,
	);
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}
