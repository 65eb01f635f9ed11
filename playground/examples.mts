import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { N8n, StoredWorkflow, Workflow } from './client.mts';

const folder = join(import.meta.dirname, '../examples');

/** The name by which the examples know their credential. */
const credentialName = 'CRM Workspace API';

/** The name by which one of them knows the secret that those who call it send in a header. */
const eventCredentialName = 'CRM Event Secret';

/** What a credential has, unless it's given. */
const defaults = { mode: 'test', authHeader: 'authorization', requestsPerMinute: 60 };

/** The data table that the nightly example reads. */
export const contactsTable = 'Contacts';

export const exampleNames = [
	'form-to-template-email',
	'webhook-to-inline-email',
	'schedule-to-contact-updates',
	'new-contact-to-welcome-email',
] as const;
export type ExampleName = (typeof exampleNames)[number];

export function exampleFile(name: ExampleName): string {
	return join(folder, `${name}.json`);
}

/** Imports an example as a user does: n8n finds the credential by its name. */
export async function importExample(n8n: N8n, name: ExampleName): Promise<StoredWorkflow> {
	return n8n.createWorkflow(JSON.parse(readFileSync(exampleFile(name), 'utf8')) as Workflow);
}

/** What the examples need to run. */
export interface ExampleCredentials {
	/** The ID of the one with the secret. */
	eventCredential: string;
	/** The header with the secret, to be sent with an event. */
	eventHeader: Record<string, string>;
}

/** The credentials by which the examples reach the service, and by which an event reaches them. */
export async function createExampleCredentials(
	n8n: N8n,
	service: { baseUrl: string; apiKey: string },
): Promise<ExampleCredentials> {
	const secret = { name: 'X-Event-Secret', value: randomBytes(32).toString('hex') };
	await createCredential(n8n, service, credentialName);
	const eventCredential = await n8n.createCredential(eventCredentialName, 'httpHeaderAuth', secret);
	return { eventCredential, eventHeader: { [secret.name]: secret.value } };
}

/** Gives a new n8n the examples, with their credentials and table. One that has credentials isn't new. */
export async function provideExamples(
	n8n: N8n,
	service: { baseUrl: string; apiKey: string },
): Promise<void> {
	const stored = await n8n.call('GET', '/rest/credentials');
	if (stored.length > 0) return;
	await createExampleCredentials(n8n, service);
	const row = { email: 'ada.lovelace@example.com', jobTitle: 'Analyst', phone: '' };
	await n8n.createDataTable(contactsTable, [row]);
	for (const name of exampleNames) await importExample(n8n, name);
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
	return n8n.createCredential(name, 'crmWorkspaceApi', { ...defaults, ...service });
}
