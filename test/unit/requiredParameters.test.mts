import { describe, expect, test } from '@jest/globals';
import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';

const { description } = new CrmWorkspace();
const { properties } = description;
const node = { name: 'CRM', typeVersion: 1, parameters: {} } as INode;

/** The parameters as n8n fills them up. */
const filledUp = (given: INodeParameters) =>
	NodeHelpers.getNodeParameters(properties, given, true, false, node, description)!;

/** What n8n finds wrong before it runs the node: the names of the parameters. */
function issuesOf(given: INodeParameters): string[] {
	const parameters = filledUp(given);
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, parameters },
		description,
	);
	return Object.keys(issues?.parameters ?? {}).sort();
}

const to = 'ada.lovelace@example.com';

describe('n8n asks in the editor for what is needed', () => {
	const send = { operation: 'sendTransactionalEmail', to };
	const templateSlug = 'welcome';
	test.each<[string, INodeParameters, string[]]>([
		['a template', { ...send, content: 'template' }, ['templateSlug']],
		['HTML', { ...send, content: 'html' }, ['html', 'subject']],
		['plain text', { ...send, content: 'text' }, ['subject', 'text']],
		['nothing but an expression for Content', { ...send, content: '={{ $json.any }}' }, []],
		['a custom key', { ...send, templateSlug, idempotency: 'custom' }, ['idempotencyKey']],
		['no key where none is wanted', { ...send, templateSlug, idempotency: 'none' }, []],
		['a recipient', { ...send, templateSlug, to: '' }, ['to']],
		['a contact', { operation: 'updateContact' }, ['contact']],
		['articles', { operation: 'list', collection: 'knowledgeBaseArticles' }, ['searchTerm']],
		['contacts, without a search term', { operation: 'list', collection: 'contacts' }, []],
	])('%s', (_what, parameters, asked) => {
		expect(issuesOf(parameters)).toEqual(asked);
	});
});

const operations = ['sendTransactionalEmail', 'updateContact', 'list'];
const choices = operations.flatMap((operation) =>
	properties
		.filter(({ type, displayOptions }) => {
			return type === 'options' && displayOptions?.show?.operation?.includes(operation);
		})
		.flatMap(({ name, options = [] }) =>
			(options as INodePropertyOptions[]).map(({ value }) => ({ operation, [name]: value })),
		),
);

test.each<INodeParameters>([{ operation: 'list' }, ...choices])(
	'the editor shows each parameter once with %j',
	(given) => {
		const values = filledUp(given);
		const names = properties
			.filter((property) => NodeHelpers.displayParameter(values, property, node, description))
			.map(({ name }) => name);
		expect(names.length).toBeGreaterThan(3);
		expect(names).toEqual([...new Set(names)]);
	},
);
