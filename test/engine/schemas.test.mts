import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { settableFields } from '../../sandbox/data/contacts.mts';
import { automaticUpdate, runUpdate, storeContacts } from '../support/engine/updates.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const [to, id] = ['a@example.com', '11111111-1111-4111-8111-111111111111'];
const all = (value: string) => Object.fromEntries(settableFields.map((name) => [name, value]));
const filled = { ...all('A'), email: to, accountId: id, source: 'partner', tags: ['A'] };
const rows = [all(''), filled, all(''), { email: 'b@example.com' }];
const clear = { skipUnchanged: true, emptyValues: 'clear' };
const template = { to, templateSlug: 'welcome', idempotency: 'custom', idempotencyKey: 'A' };
const html = { content: 'html', subject: 'A', html: 'A', idempotency: 'none' };
const rejected = { ...html, to: 'reject@example.com', options: { onRejected: 'output' } };
const { version, properties } = new CrmWorkspace().description;

const sandbox = sandboxInTests();

/** The runs of each operation output each field, with and without a value. */
test.each([
	['updateContact', [automaticUpdate({ mode: 'id', value: id }, clear)], rows],
	['sendTransactionalEmail', [template, template, rejected], [{}]],
])('the schema of %s has its fields and their types', async (operation, runs, items) => {
	const folder = `__schema__/v${version}.0.0/${properties[0].default}`;
	const schema = readFileSync(`nodes/CrmWorkspace/${folder}/${operation}.json`, 'utf8');
	await storeContacts(sandbox, [{ id }, { ...filled, email: 'c@example.com' }]);
	const output = [];
	for (const parameters of runs) {
		// A repeated send returns a message that was sent in the meantime.
		await sandbox.control('POST', '/clock', { advance: 2000 });
		output.push(...(await runUpdate(sandbox, { operation, ...parameters }, items)).json);
	}
	const types = output.flatMap((item) => typesOf(item));
	expect(new Set(types)).toEqual(new Set(typesIn(JSON.parse(schema))));
});

function typesOf(value: unknown, path = ''): string[] {
	const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
	const isOpen = type === 'string' || path === '._changes';
	const parts = isOpen ? [] : Object.entries(value ?? {});
	return [`${path}: ${type}`, ...parts.flatMap(([name, part]) => typesOf(part, `${path}.${name}`))];
}

function typesIn({ type, properties, items }: any, path = ''): string[] {
	const parts = Object.entries(properties ?? (items ? [items] : []));
	const own = [type].flat().map((one) => `${path}: ${one}`);
	return [...own, ...parts.flatMap(([name, part]) => typesIn(part, `${path}.${name}`))];
}
