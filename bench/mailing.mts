/** A workflow, begun by hand at Start, that sends so many messages. */
export function mailing(credential: string, messages: number) {
	const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
		...{ id: name, name, type, typeVersion, parameters, position: [0, 0] },
	});
	const jsCode = `return Array.from({ length: ${messages} }, (_, index) => ({ index }));`;
	const message = {
		operation: 'sendTransactionalEmail',
		to: '=person{{ $json.index }}@example.com',
		templateSlug: 'welcome',
		variables: { variable: [{ name: 'firstName', value: 'Ada' }] },
	};
	return {
		name: 'Mailing',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('People', 'n8n-nodes-base.code', 2, { jsCode }),
			{
				...node('CRM', 'n8n-nodes-crm-workspace.crmWorkspace', 1, message),
				credentials: { crmWorkspaceApi: { id: credential, name: 'any' } },
			},
		],
		connections: {
			Start: { main: [[{ node: 'People', type: 'main', index: 0 }]] },
			People: { main: [[{ node: 'CRM', type: 'main', index: 0 }]] },
		},
	};
}
