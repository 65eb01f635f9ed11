import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { N8n, StoredWorkflow, Workflow } from './client.mts';

const folder = join(import.meta.dirname, '../examples');

/** The name by which the examples know their credential. */
export const credentialName = 'CRM Workspace API';

/** The data table that the nightly example reads. */
export const contactsTable = 'Contacts';

export const exampleNames = [
	'form-to-template-email',
	'webhook-to-inline-email',
	'schedule-to-contact-updates',
] as const;
export type ExampleName = (typeof exampleNames)[number];

export function exampleFile(name: ExampleName): string {
	return join(folder, `${name}.json`);
}

/** Imports an example as a user does: n8n finds the credential by its name. */
export async function importExample(n8n: N8n, name: ExampleName): Promise<StoredWorkflow> {
	return n8n.createWorkflow(JSON.parse(readFileSync(exampleFile(name), 'utf8')) as Workflow);
}

/**
 * A credential for the sandbox or any other service. Only the examples' own may have the name
 * `credentialName`: n8n finds it for them only while it is the only one of that name.
 */
export async function createCredential(
	n8n: N8n,
	service: { baseUrl: string; apiKey: string; [field: string]: unknown },
	name: string,
): Promise<string> {
	return n8n.createCredential(name, 'crmWorkspaceApi', {
		mode: 'test',
		authHeader: 'authorization',
		requestsPerMinute: 60,
		...service,
	});
}
