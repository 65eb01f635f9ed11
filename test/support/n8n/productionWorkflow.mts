import type { Execution, N8n, StoredWorkflow, Workflow } from '../../../playground/client.mts';

/** The settings that the editor gives a new workflow. */
export const editorSettings = { executionOrder: 'v1' };

type Node = Workflow['nodes'][number];

/** A node of a test workflow; what stands beside its parameters goes into `settings`. */
export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	settings: object = {},
): Node {
	return { id: name, name, type, typeVersion, parameters, position: [0, 0], ...settings };
}

/** One of our nodes. */
export function crmNode(
	name: string,
	credential: string,
	parameters: object,
	settings: object = {},
): Node {
	return node(name, 'n8n-nodes-crm-workspace.crmWorkspace', 1, parameters, {
		credentials: { crmWorkspaceApi: { id: credential, name: 'any' } },
		...settings,
	});
}

/** Connects nodes from output 0 to input 0, each with the next. */
export function chain(...names: string[]): Record<string, unknown> {
	return Object.fromEntries(
		names
			.slice(0, -1)
			.map((name, index) => [
				name,
				{ main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
			]),
	);
}

/** 'Loop Over Items', one item in each turn: its nodes one after the other, and back to it. */
export function loop(...names: string[]): { nodes: Node[]; connections: Record<string, unknown> } {
	return {
		nodes: [node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1 })],
		connections: {
			...chain(...names, 'Loop'),
			Loop: { main: [[], [{ node: names[0], type: 'main', index: 0 }]] },
		},
	};
}

/** A workflow that runs in production, begun by a call to its webhook. */
export class ProductionWorkflow {
	readonly stored: StoredWorkflow;

	readonly #n8n: N8n;

	readonly #path: string;

	private constructor(n8n: N8n, stored: StoredWorkflow, path: string) {
		this.#n8n = n8n;
		this.stored = stored;
		this.#path = path;
	}

	/** Stores and activates a workflow whose first node, Webhook, hands on to `nodes[0]`. */
	static async activate(
		n8n: N8n,
		nodes: Node[],
		connections: Record<string, unknown> = chain(...nodes.map(({ name }) => name)),
		settings: object = editorSettings,
	): Promise<ProductionWorkflow> {
		const path = crypto.randomUUID();
		const parameters = { httpMethod: 'POST', path, options: {} };
		const webhook = node('Webhook', 'n8n-nodes-base.webhook', 2, parameters, { webhookId: path });
		const stored = await n8n.createWorkflow({
			name: path,
			nodes: [webhook, ...nodes],
			connections: { ...chain('Webhook', nodes[0].name), ...connections },
			settings,
		});
		await n8n.activate(stored);
		return new ProductionWorkflow(n8n, stored, path);
	}

	/** Saves other nodes in the place of those with their names, and settings, as the editor does. */
	async replace(nodes: Node[], further: { settings?: object } = {}): Promise<void> {
		const { id, versionId, nodes: before } = await this.#n8n.workflow(this.stored.id);
		const changed = before.map((one) => nodes.find(({ name }) => name === one.name) ?? one);
		await this.#n8n.updateWorkflow(id, { nodes: changed, versionId, ...further });
	}

	/** Calls the webhook and gives the ID of the execution that begins. */
	async begin(body: object = {}): Promise<string> {
		const known = (await this.#n8n.executions(this.stored.id)).map(({ id }) => id);
		await this.#n8n.webhook(this.#path, body);
		return await this.#n8n.nextBegun(this.stored.id, known);
	}

	/** Calls the webhook and waits for the end of the execution. */
	async run(body: object = {}): Promise<Execution> {
		return await this.#n8n.ended(await this.begin(body));
	}
}
