import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine/runNode.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	runUpdate,
	storeContacts,
	storedContacts,
} from '../support/engine/updates.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.control('POST', '/reset'));

const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';
const requests = async (): Promise<any[]> => (await sandbox.control('GET', '/requests')).data;
const inbox = async (): Promise<any[]> => (await sandbox.control('GET', '/inbox')).data;

const send = async (parameters: INodeParameters) =>
	await runNode({
		parameters: {
			operation: 'sendTransactionalEmail',
			to: 'ada.lovelace@example.com',
			content: 'html',
			...parameters,
		},
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey, requestsPerMinute: 100_000 },
	});

describe('addresses and IDs lose the invisible characters around them', () => {
	test('in a message', async () => {
		const { error } = await send({
			content: 'template',
			to: '\u200eada.lovelace@example.com\u200b',
			templateSlug: '\u00adwelcome',
			additionalFields: {
				replyTo: '\ufeffcare@example.com',
				channelId: `${id}\u200b`,
				contactId: `\u2060${id}`,
			},
		});
		// The sandbox doesn't know the contact.
		expect(error?.message).toContain('rejected the message');
		const [{ body }] = await requests();
		expect(body).toMatchObject({
			to: 'ada.lovelace@example.com',
			templateSlug: 'welcome',
			replyTo: 'care@example.com',
			channelId: id,
			contactId: id,
		});
	});

	test('while names and contents stay as they are', async () => {
		const html = '<p>👩\u200d🔬 co\u00adoperate</p>';
		const subject = 'نامه\u200cای';
		const { error } = await send({ html, subject, additionalFields: { fromName: 'A\u200dB' } });
		expect(error).toBeUndefined();
		expect(await inbox()).toMatchObject([{ html, subject }]);
		expect((await requests())[0].body.fromName).toBe('A\u200dB');
	});

	test('in what names a contact', async () => {
		const [ada, grace, alan] = await storedContacts(sandbox);
		await storeContacts(sandbox, [ada, grace, { ...alan, email: `${alan.email}\u200b` }]);
		const emails = [`\u200e${ada.email}\u200f`, ` \u200b${grace.email}`, alan.email];
		const named = await runUpdate(
			sandbox,
			automaticUpdate(byEmail),
			emails.map((email) => ({ email, notes: 'by email' })),
		);
		expect(named.json).toMatchObject([
			{ id: ada.id, _result: 'updated' },
			{ id: grace.id, _result: 'updated' },
			{ id: alan.id, _result: 'updated' },
		]);
		const { json } = await runUpdate(sandbox, automaticUpdate(byId), [
			{ id: `\ufeff${ada.id}\u200b`, notes: 'by ID' },
		]);
		expect(json).toMatchObject([{ id: ada.id, _result: 'updated' }]);
	});

	test('in what is written to a contact', async () => {
		const [{ id: contact, jobTitle }] = await storedContacts(sandbox);
		const { json } = await runUpdate(sandbox, automaticUpdate(byId), [
			{
				id: contact,
				email: '\ufeffnew@example.com\u200b',
				accountId: `${id}\u200b`,
				source: '\u00adreferral',
				jobTitle: '\u200b',
				notes: 'co\u00adoperate',
			},
		]);
		expect(json[0]._result).toBe('updated');
		expect((await storedContacts(sandbox))[0]).toMatchObject({
			email: 'new@example.com',
			accountId: id,
			source: 'referral',
			jobTitle,
			notes: 'co\u00adoperate',
		});
	});
});
