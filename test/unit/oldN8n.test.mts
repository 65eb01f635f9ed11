import { expect, jest, test } from '@jest/globals';

test.each(['CrmWorkspace', 'CrmWorkspaceTrigger'])(
	'in an n8n instance that is too old, %s says so when it is loaded',
	(name) => {
		jest.resetModules();
		const older = { ...jest.requireActual<object>('n8n-workflow'), NodeConnectionTypes: undefined };
		jest.doMock('n8n-workflow', () => older);
		expect(() => require(`../../nodes/CrmWorkspace/${name}.node`)).toThrow(
			'n8n-nodes-crm-workspace needs n8n 1.85 or newer',
		);
	},
);
