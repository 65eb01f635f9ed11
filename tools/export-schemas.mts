/**
 * Writes the fields that n8n's editor shows of an operation's output before the node has run. List has
 * none: n8n knows one schema for an operation, and of six collections only contacts are documented.
 */
import { writeFileSync } from 'node:fs';
import { exitWhenTold } from '../playground/atExit.mts';
import { createCredential } from '../playground/examples.mts';
import { startPlayground } from '../playground/start.mts';
import { settableFields } from '../sandbox/data/contacts.mts';
import { startSandbox } from '../sandbox/index.mts';
import { crmWorkflow, errorOf, outputOf } from '../test/support/n8n/crmWorkflow.mts';
import { pack } from './pack.mts';
import { run } from './run.mts';

const folder = 'nodes/CrmWorkspace/__schema__/v1.0.0/workspace';
const [text, id] = ['New', '11111111-1111-4111-8111-111111111111'];
const formats = { email: 'new@example.com', accountId: id, source: 'partner', tags: [text] };
const filled = { ...Object.fromEntries(settableFields.map((name) => [name, text])), ...formats };
const cleared = Object.fromEntries(settableFields.map((name) => [name, '']));
const contact = { __rl: true, mode: 'id', value: id };
const fields = { mappingMode: 'autoMapInputData', value: null };
const update = { contact, fields, options: { skipUnchanged: true, emptyValues: 'clear' } };
const custom = { idempotency: 'custom', idempotencyKey: text };
const template = { to: formats.email, templateSlug: 'welcome', ...custom };
const html = { content: 'html', subject: text, html: text, idempotency: 'none' };
const rejected = { to: 'reject@example.com', ...html, options: { onRejected: 'output' } };

/** Together they output each field with a value, and without one if the sandbox allows that. */
const runs: Array<[operation: string, parameters: object, items: object[]]> = [
	['updateContact', update, [cleared, filled, cleared, { email: 'newer@example.com' }]],
	['sendTransactionalEmail', template, [{}]],
	['sendTransactionalEmail', template, [{}]],
	['sendTransactionalEmail', rejected, [{}]],
];

async function exportSchemas(): Promise<void> {
	const sandbox = await startSandbox({ port: 0 });
	const { state } = sandbox;
	const contacts = [{ id }, { ...filled, email: 'old@example.com' }];
	state.contacts.replaceAll('test', contacts, state.clock.timestamp());
	const { n8n, stop } = await startPlayground({ tarball: await pack() });
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	const credential = await createCredential(n8n, service, 'CRM Workspace');
	const output: Record<string, object[]> = {};
	for (const [operation, parameters, items] of runs) {
		// A repeated send returns a message that was sent in the meantime.
		state.clock.advance(2000);
		const node = { credential, parameters: { operation, ...parameters } };
		const execution = await n8n.run(await n8n.createWorkflow(crmWorkflow(items, node)), 'Start');
		if (execution.status !== 'success') throw errorOf(execution);
		(output[operation] ??= []).push(...outputOf(execution).map(({ json }) => json));
	}
	for (const [operation, records] of Object.entries(output)) {
		const schema = JSON.stringify({ ...describe(records), version: 1 });
		writeFileSync(`${folder}/${operation}.json`, schema);
	}
	await Promise.all([stop(), sandbox.stop(), run('prettier', ['--write', folder])]);
}

/** The JSON Schema of all values. The editor shows the first type, so null comes second. */
function describe(values: unknown[]): object {
	const given = values.filter((value) => value !== null);
	if (given.length === 0) throw new Error('A field never has a value');
	const type = Array.isArray(given[0]) ? 'array' : typeof given[0];
	const types = { type: given.length < values.length ? [type, 'null'] : type };
	if (type === 'array') return { ...types, items: describe(given.flat()) };
	if (type !== 'object') return types;
	const entries = given.flatMap((value) => Object.entries(value as object));
	const byName = Object.entries(Object.groupBy(entries, ([name]) => name));
	// Of changes, any field may be there: which ones, only a run shows.
	const described = byName.map(([name, all]) => {
		const isOpen = name === '_changes';
		return [name, isOpen ? { type: 'object' } : describe(all!.map(([, value]) => value))];
	});
	return { ...types, properties: Object.fromEntries(described) };
}

exitWhenTold();
await exportSchemas();
