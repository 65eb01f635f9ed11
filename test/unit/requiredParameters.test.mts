import { describe, expect, test } from '@jest/globals';
import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';

const { description } = new CrmWorkspace();

/** What n8n finds wrong before it runs the node: the names of the parameters. */
function issuesOf(given: INodeParameters): string[] {
	const node = { name: 'CRM', typeVersion: 1, parameters: {} } as INode;
	const parameters = NodeHelpers.getNodeParameters(
		description.properties,
		given,
		true,
		false,
		node,
		description,
	);
	const issues = NodeHelpers.getNodeParametersIssues(
		description.properties,
		{ ...node, parameters: parameters! },
		description,
	);
	return Object.keys(issues?.parameters ?? {}).sort();
}

const to = 'ada.lovelace@example.com';
const contact = { __rl: true, mode: 'email', value: to };
const complete: INodeParameters[] = [
	{ operation: 'sendTransactionalEmail', to, templateSlug: 'welcome' },
	{ operation: 'updateContact', contact },
	{ operation: 'list' },
];

/** The parameters of each operation that an expression can give. */
const expressions = complete.flatMap((parameters) => {
	const operation = String(parameters.operation);
	const names = description.properties
		.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(operation))
		.filter(({ name, noDataExpression }) => !noDataExpression && name !== 'contact')
		.map(({ name }) => name);
	return [...new Set(names)].map((name) => [operation, name, parameters] as const);
});

describe('n8n runs the node when an expression gives', () => {
	test.each(expressions)('of %s: %s', (_operation, name, parameters) => {
		expect(issuesOf({ ...parameters, [name]: '={{ $json.any }}' })).toEqual([]);
	});

	test('the content, with no template beside it', () => {
		const content = '={{ $json.any }}';
		expect(issuesOf({ operation: 'sendTransactionalEmail', to, content })).toEqual([]);
	});
});

describe('n8n asks in the editor for what is needed', () => {
	const send = { operation: 'sendTransactionalEmail', to };
	test.each<[string, INodeParameters, string[]]>([
		['a template', { ...send, content: 'template' }, ['templateSlug']],
		['HTML', { ...send, content: 'html' }, ['html', 'subject']],
		[
			'a custom key',
			{ ...send, templateSlug: 'welcome', idempotency: 'custom' },
			['idempotencyKey'],
		],
		['articles', { operation: 'list', collection: 'knowledgeBaseArticles' }, ['searchTerm']],
		['a recipient', { operation: 'sendTransactionalEmail', templateSlug: 'welcome' }, ['to']],
		['a contact', { operation: 'updateContact' }, ['contact']],
	])('%s', (_what, parameters, asked) => {
		expect(issuesOf(parameters)).toEqual(asked);
	});

	test.each<[string, INodeParameters]>([
		['a key where none is wanted', { ...send, templateSlug: 'welcome', idempotency: 'none' }],
		['a search term for contacts', { operation: 'list', collection: 'contacts' }],
	])('but not for %s', (_what, parameters) => {
		expect(issuesOf(parameters)).toEqual([]);
	});
});

describe('the editor shows each parameter once', () => {
	const operations = complete.map(({ operation }) => String(operation));
	const choices = operations.flatMap((operation) =>
		description.properties
			.filter(({ type, displayOptions }) => {
				return type === 'options' && displayOptions?.show?.operation?.includes(operation);
			})
			.flatMap(({ name, options = [] }) =>
				options.map((option) => ({ operation, [name]: (option as { value: string }).value })),
			),
	);

	test.each<INodeParameters>([...complete, ...choices])('with %j', (given) => {
		const node = { name: 'CRM', typeVersion: 1, parameters: {} } as INode;
		const { properties } = description;
		const values = NodeHelpers.getNodeParameters(properties, given, true, true, node, description)!;
		const names = properties
			.filter((property) => NodeHelpers.displayParameter(values, property, node, description))
			.map(({ name }) => name);
		expect(names.length).toBeGreaterThan(3);
		expect(names).toEqual([...new Set(names)]);
	});
});
