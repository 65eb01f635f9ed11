import { writeFileSync } from 'node:fs';
import { exitWhenTold } from '../playground/atExit.mts';
import type { Workflow } from '../playground/client.mts';
import {
	createExampleCredentials,
	exampleFile,
	exampleNames,
	importExample,
} from '../playground/examples.mts';
import { startPlayground } from '../playground/start.mts';
import { pack } from './pack.mts';

/**
 * Passes the examples through a running n8n and writes them as it exports them, without what
 * belongs to that one n8n.
 */
async function exportExamples(): Promise<void> {
	const playground = await startPlayground({ tarball: await pack() });
	try {
		const { n8n } = playground;
		const service = { baseUrl: 'http://127.0.0.1:8787/api/v1', apiKey: 'sk_test_none' };
		await createExampleCredentials(n8n, service);
		for (const name of exampleNames) {
			const { id } = await importExample(n8n, name);
			const exported = portable(await n8n.call('GET', `/rest/workflows/${id}`));
			writeFileSync(exampleFile(name), `${JSON.stringify(exported, null, 2)}\n`);
			console.log(`examples: ${name}`);
		}
	} finally {
		await playground.stop();
	}
}

/** What a workflow is made of, without what only this n8n knows. */
function portable({ name, nodes, connections, settings }: Workflow): Workflow {
	return { name, nodes: nodes.map(withoutCredentialIds), connections, settings };
}

/** With null for its id, n8n finds a credential by name; without an id it takes any of the type. */
function withoutCredentialIds(node: Workflow['nodes'][number]): Workflow['nodes'][number] {
	if (!node.credentials) return node;
	const entries = Object.entries(node.credentials).map(([type, { name }]) => [
		type,
		{ id: null, name },
	]);
	return { ...node, credentials: Object.fromEntries(entries) };
}

exitWhenTold();
await exportExamples();
