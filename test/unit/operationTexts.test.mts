import { expect, test } from '@jest/globals';
import type { INodePropertyOptions } from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';

// Interface: SEND-4.
test('whoever chooses to send is told to whom, of what, and that opt-outs do not count', () => {
	const operation = new CrmWorkspace().description.properties.find(
		({ name }) => name === 'operation',
	);
	const options = operation?.options as INodePropertyOptions[];
	const send = options.find(({ value }) => value === 'sendTransactionalEmail');
	expect(send?.description).toMatch(/one recipient/);
	expect(send?.description).toMatch(/template or .*HTML/);
	expect(send?.description).toMatch(/ignores opt-outs.*never .*marketing/);
});
