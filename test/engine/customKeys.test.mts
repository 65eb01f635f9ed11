import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { runNode } from '../support/engine/runNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const contact = { id: 'c1', email: 'ada.lovelace@example.com' };

/**
 * What a trigger gives for an event, for the same one when it starts again, and for another: by how
 * docs/send-email.md calls it.
 */
const events: Record<string, Record<'event' | 'again' | 'another', IDataObject>> = {
	Webhook: {
		event: { body: { eventId: 'e1' }, headers: { 'x-event-id': 'e1', date: 'Mon' } },
		again: { body: { eventId: 'e1' }, headers: { 'x-event-id': 'e1', date: 'Tue' } },
		another: { body: { eventId: 'e2' }, headers: { 'x-event-id': 'e2', date: 'Mon' } },
	},
	'Webhook, once per contact': {
		event: { body: { contact, sentAt: '10:00' } },
		again: { body: { contact, sentAt: '10:05' } },
		another: { body: { contact: { ...contact, id: 'c2' }, sentAt: '10:00' } },
	},
	'Webhook, each change of a contact': {
		event: { body: { contact, changedAt: '2026-11-20T10:00:00Z', sentAt: '10:00' } },
		again: { body: { contact, changedAt: '2026-11-20T10:00:00Z', sentAt: '10:05' } },
		another: { body: { contact, changedAt: '2026-11-21T10:00:00Z', sentAt: '10:00' } },
	},
	Form: {
		event: { email: 'ada@example.com', submittedAt: '2026-11-20T10:00:00Z' },
		again: { email: 'Ada@example.com \u200b', submittedAt: '2026-11-20T10:05:00Z' },
		another: { email: 'grace@example.com', submittedAt: '2026-11-20T10:00:00Z' },
	},
	'CRM Workspace Trigger': {
		event: { event: 'contactCreated', key: 'contactCreated-1', record: { id: 'c1' } },
		again: { event: 'contactCreated', key: 'contactCreated-1', record: { id: 'c1' }, told: 2 },
		another: { event: 'contactCreated', key: 'contactCreated-2', record: { id: 'c2' } },
	},
	Schedule: {
		event: { email: 'ada@example.com', timestamp: '10:00' },
		again: { email: 'ada@example.com', timestamp: '10:05' },
		another: { email: 'grace@example.com', timestamp: '10:00' },
	},
	'Row of a table': {
		event: { id: 7, row_number: 2 },
		again: { id: 7, row_number: 3 },
		another: { id: 8, row_number: 2 },
	},
	'Changed row': {
		event: { id: 7, updatedAt: '2026-11-20T10:00:00Z', row_number: 2 },
		again: { id: 7, updatedAt: '2026-11-20T10:00:00Z', row_number: 3 },
		another: { id: 7, updatedAt: '2026-11-21T10:00:00Z', row_number: 2 },
	},
};

/** Trigger and keys of each row of the table in the document. */
const documented = readFileSync('docs/send-email.md', 'utf8')
	.split(/^\| Trigger .*$/m)[1]
	.split('\n')
	.filter((line) => /^\| \w/.test(line))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.flatMap(([, trigger, keys]) =>
		[...keys.matchAll(/`([^`]+)`/g)].map(([, key]) => ({ trigger, key })),
	);

const sandbox = sandboxInTests();

test('docs/send-email.md has a key for each trigger', () => {
	expect(new Set(documented.map(({ trigger }) => trigger))).toEqual(new Set(Object.keys(events)));
});

test.each(documented)(
	'an event that starts again sends nothing, and another one does, with the key of $trigger: $key',
	async ({ trigger, key }) => {
		const { event, again, another } = events[trigger];
		const sent = [];
		for (const [index, item] of [event, again, another].entries()) {
			const { error } = await runNode({
				parameters: {
					operation: 'sendTransactionalEmail',
					...{ to: contact.email, templateSlug: 'welcome' },
					...{ idempotency: 'custom', idempotencyKey: `=${key}` },
				},
				credential: unpaced(sandbox),
				items: [item],
				executionId: String(index),
			});
			expect(error).toBeUndefined();
			sent.push((await sandbox.control('GET', '/inbox')).data.length);
		}
		expect(sent).toEqual([1, 1, 2]);
	},
);
