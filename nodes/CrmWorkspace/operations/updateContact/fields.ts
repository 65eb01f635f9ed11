import type {
	IDataObject,
	IExecuteFunctions,
	NodeExecutionHint,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { emailProblem, isUuid } from '../../service/formats';
import { contactSources, type ContactFields } from '../../service/records';
import { refuse } from '../refuse';
import { textOf } from '../textParameter';

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
 * Reads what an item changes: by hand, or from the input's columns of the same names.
 * @param clearEmpty whether an empty value clears the field; otherwise it changes nothing
 * @throws NodeOperationError for a value that cannot be right, and when nothing is left to change
 */
export function readFields(
	context: IExecuteFunctions,
	itemIndex: number,
	clearEmpty: boolean,
): ContactFields {
	const values = mappedValues(context, itemIndex);
	const entries = fieldNames
		.filter((name) => name in values && (clearEmpty || !isEmpty(values[name])))
		.map((name) => [
			name,
			isEmpty(values[name])
				? clearedValue(name)
				: readField(context, itemIndex, name, values[name]),
		]);
	if (entries.length === 0) {
		refuse(
			context,
			itemIndex,
			'Nothing to update: no field has a value',
			isMappedByHand(context)
				? 'Enter a value for at least one field.'
				: `The input has no column with a value named ${fieldNames.join(', ')}.`,
		);
	}
	return Object.fromEntries(entries) as ContactFields;
}

/** A hint that names the columns of the input which automatic mapping does not know. */
export function hintOfIgnoredColumns(context: IExecuteFunctions): NodeExecutionHint[] {
	if (isMappedByHand(context)) return [];
	const columns = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const ignored = [...columns].filter((column) => !Object.hasOwn(displayNames, column));
	if (ignored.length === 0) return [];
	return [
		{
			message: `Columns of the input that are no fields of a contact were ignored: ${ignored.join(', ')}`,
			type: 'info',
			location: 'outputPane',
		},
	];
}

function isMappedByHand(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('fields.mappingMode', 0) !== 'autoMapInputData';
}

/**
 * The values by name, empty ones included. Of the fields to map by hand, n8n keeps null for those
 * that the user left alone.
 */
function mappedValues(context: IExecuteFunctions, itemIndex: number): IDataObject {
	if (!isMappedByHand(context)) return context.getInputData()[itemIndex].json;

	const asEntered = context.getNodeParameter('fields', itemIndex, {}, { rawExpressions: true });
	const { value: entered } = asEntered as { value?: IDataObject | null };
	const { value } = context.getNodeParameter('fields', itemIndex) as { value?: IDataObject | null };
	return Object.fromEntries(
		Object.entries(value ?? {}).filter(([name]) => (entered?.[name] ?? null) !== null),
	);
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
		return tagsIn(value) ?? problem('is neither a list of texts nor comma-separated text');
	}

	const text = textOf(context, value, { itemIndex, displayName: displayNames[name] }).trim();
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

/** What clears a field: empty text or an empty list, or null where those do not fit its format. */
function clearedValue(name: FieldName): [] | '' | null {
	if (name === 'tags') return [];
	return ['email', 'accountId', 'source'].includes(name) ? null : '';
}

/** Tags from a list of texts or from comma-separated text; undefined for anything else. */
function tagsIn(value: unknown): string[] | undefined {
	const list: unknown = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(list) || list.some((tag) => typeof tag !== 'string')) return undefined;
	return (list as string[]).map((tag) => tag.trim()).filter((tag) => tag !== '');
}

function fieldType(name: FieldName): Pick<ResourceMapperField, 'type' | 'options'> {
	if (name !== 'source') return { type: 'string' };
	return {
		type: 'options',
		options: contactSources.map((source) => ({ name: sourceLabel(source), value: source })),
	};
}

function sourceLabel(source: string): string {
	return source.replace(
		/(^|_)([a-z])/g,
		(_match, gap: string, letter: string) => `${gap && ' '}${letter.toUpperCase()}`,
	);
}

function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	return Array.isArray(value) ? value.length === 0 : value === undefined || value === null;
}
