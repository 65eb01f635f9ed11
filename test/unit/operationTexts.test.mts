import { describe, expect, test } from '@jest/globals';
import {
	NodeConnectionTypes,
	NodeHelpers,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';

// Interface: SEND-4.
test('the operation that sends says to whom and what, and that opt-outs do not count', () => {
	const operation = new CrmWorkspace().description.properties.find(
		({ name }) => name === 'operation',
	);
	const options = operation?.options as INodePropertyOptions[];
	const send = options.find(({ value }) => value === 'sendTransactionalEmail');
	expect(send?.description).toMatch(/one recipient/);
	expect(send?.description).toMatch(/template, HTML or text/);
	expect(send?.description).toMatch(/ignores opt-outs.*never .*marketing/);
});

describe('the name that n8n gives a node', () => {
	const { description } = new CrmWorkspace();
	const { properties } = description;
	const tool: INodeTypeDescription = { ...description, outputs: [NodeConnectionTypes.AiTool] };
	/** As n8n fills up what is stored, which may be older than a parameter. */
	const filledUp = (operation: string) =>
		NodeHelpers.getNodeParameters(properties, { operation }, true, false, null, description)!;

	test.each([
		['sendTransactionalEmail', 'Send transactional email'],
		['updateContact', 'Update contact'],
		['list', 'List records'],
	])('%s: says what it does, as a tool and under a saved node, too', (operation, name) => {
		const parameters = filledUp(operation);
		expect(NodeHelpers.makeNodeName(parameters, description)).toBe(name);
		expect(NodeHelpers.makeNodeName(parameters, tool)).toBe(`${name} in CRM Workspace`);
	});

	test('leaves a name alone that was given before, or by somebody', () => {
		const isDefault = (name: string) =>
			NodeHelpers.isDefaultNodeName(name, description, filledUp('list'));
		expect(['List records', 'List records1'].map(isDefault)).toEqual([true, true]);
		expect(['CRM Workspace', 'Read all contacts'].map(isDefault)).toEqual([false, false]);
	});
});
