import { expect, test } from '@jest/globals';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { CrmWorkspaceTrigger } from '../../nodes/CrmWorkspace/CrmWorkspaceTrigger.node';

type Properties = Array<INodeProperties | { name: string; values: INodeProperties[] }>;

/** Each parameter by its path, with what it has until a user changes it, and what else it may have. */
function saved(properties: Properties, above = ''): string[] {
	return properties.flatMap((property) => {
		if ('values' in property) return saved(property.values, `${above}${property.name}.`);
		const { name, type, default: value, options = [], modes = [] } = property;
		const choices =
			type === 'options' || type === 'multiOptions'
				? (options as INodePropertyOptions[]).map((option) => option.value)
				: modes.map((mode) => mode.name);
		const line = [`${above}${name}: ${JSON.stringify(value)}`, ...choices].join(' | ');
		const within = type === 'collection' || type === 'fixedCollection' ? options : [];
		return [line, ...saved(within as Properties, `${above}${name}.`)];
	});
}

const { properties } = new CrmWorkspace().description;

/** What every workflow that was ever saved holds: nothing here may change or go. */
const expected = {
	sendTransactionalEmail: `
		to: ""
		content: "template" | html | template | text
		templateSlug: ""
		subject: ""
		html: ""
		text: ""
		previewNotice: ""
		variablesInput: "fields" | fields | json
		variables: {}
		variables.variable.name: ""
		variables.variable.value: ""
		variablesJson: "{}"
		idempotency: "execution" | custom | execution | none
		idempotencyKey: ""
		additionalFields: {}
		additionalFields.channelId: ""
		additionalFields.contactId: {"mode":"list","value":""} | list | id
		additionalFields.fromName: ""
		additionalFields.replyTo: ""
		additionalFields.subject: ""
		additionalFields.text: ""
		simplify: true
		output: "simplified" | raw | selected | simplified
		outputFields: ""
		options: {}
		options.concurrency: 5
		options.onContentChanged: "fail" | fail | output
		options.onRejected: "fail" | fail | output
		options.onOriginalFailed: "sendAgain" | fail | sendAgain
		options.timeout: 30`,
	updateContact: `
		contact: {"mode":"list","value":""} | list | id | email
		fields: {"mappingMode":"defineBelow","value":null}
		fieldsNotice: ""
		simplify: true
		output: "simplified" | raw | selected | simplified
		outputFields: ""
		options: {}
		options.concurrency: 5
		options.dryRun: true
		options.emptyValues: "ignore" | clear | ignore
		options.skipUnchanged: true
		options.tagMode: "replace" | add | remove | replace
		options.timeout: 30
		options.unmappedFields: "auto" | preserve | auto | leave`,
	list: `
		collection: "contacts" | activities | contacts | knowledgeBaseArticles | knowledgeBaseCategories | overdueTasks | widgets
		returnAll: false
		limit: 50
		searchTerm: ""
		filters: {}
		filters.email: ""
		filters.search: ""
		filters.source: "website" | cold_call | marketing | partner | referral | trade_show | website
		filters.tag: ""
		filters.updatedAfter: ""
		simplify: true
		output: "simplified" | raw | selected | simplified
		outputFields: ""
		options: {}
		options.concurrency: 5
		options.searchParameter: "q"
		options.timeout: 30`,
};

test.each(Object.entries(expected))(
	'parameters, choices and defaults of %s',
	(operation, lines) => {
		const own = properties.filter((one) =>
			one.displayOptions?.show?.operation?.includes(operation),
		);
		const names = lines.trim().split(/\n\t*/);
		expect(new Set(saved(own))).toEqual(new Set(names));
	},
);

// Interface: HTTP-5, OPEN-1.
test('the names of node, credential and operations', () => {
	const { name, credentials } = new CrmWorkspace().description;
	expect(name).toBe('crmWorkspace');
	expect(credentials).toMatchObject([{ name: 'crmWorkspaceApi', required: true }]);
	expect(saved(properties.slice(0, 2))).toEqual([
		'resource: "workspace"',
		'operation: "sendTransactionalEmail" | list | sendTransactionalEmail | updateContact',
	]);
});

test('the names of the trigger, its events and options', () => {
	const { name, credentials, properties: own } = new CrmWorkspaceTrigger().description;
	expect(name).toBe('crmWorkspaceTrigger');
	expect(credentials).toMatchObject([{ name: 'crmWorkspaceApi', required: true }]);
	expect(saved(own)).toEqual([
		'events: ["contactCreated"] | activityAdded | contactCreated | contactUpdated | taskOverdue',
		'simplify: true',
		'loopNotice: ""',
		'options: {}',
		'options.maxEvents: 100',
		'options.search: ""',
		'options.fields: [] | accountId | company | email | firstName | jobTitle | lastName | notes | phone | source | tags',
	]);
});
