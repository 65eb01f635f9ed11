import { expect, jest, test } from '@jest/globals';

test('in an n8n that is too old, the package says so when it is loaded', () => {
	const older = { ...jest.requireActual<object>('n8n-workflow'), NodeConnectionTypes: undefined };
	jest.doMock('n8n-workflow', () => older);
	expect(() => require('../../nodes/CrmWorkspace/CrmWorkspace.node')).toThrow(
		'n8n-nodes-crm-workspace needs n8n 1.85 or newer',
	);
});
