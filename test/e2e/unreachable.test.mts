import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { freePort } from '../../playground/ports.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { startRawServer } from '../support/sandbox/rawServer.mts';
import { startSecureService } from '../support/sandbox/secureService.mts';
import { crmWorkflow, errorOf } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeEach(async () => {
	sandbox = await startSandbox(['--contacts', '2000', '--requests-per-minute', '0']);
});
afterEach(() => sandbox.kill());

test('a service that goes away in the middle of a list is named in the error', async () => {
	const credential = await createCredential(n8n, unpaced(sandbox), 'Unreachable');
	const parameters = { operation: 'list', returnAll: true };
	const workflow = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));

	await sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 300, probability: 1 });
	const execution = await n8n.start(workflow, 'Start');
	await until('the list to begin', 30, async () => {
		const { data: requests } = await sandbox.control('GET', '/requests');
		return requests.some((one: any) => one.status === 200) || undefined;
	});
	await sandbox.kill();

	const ended = await n8n.ended(execution);
	expect(ended.status).toBe('error');
	expect(errorOf(ended).message).toContain(new URL(sandbox.baseUrl).host);
	expect(errorOf(ended).message).toMatch(/could not be reached/);
	expect(await n8n.nodeTypes()).not.toHaveLength(0);
});

/** Where a request gets no response, and what the error says. */
const faults: Array<[string, () => Promise<{ baseUrl: string; stop?(): Promise<void> }>, RegExp]> =
	[
		[
			'a closed port',
			async () => ({ baseUrl: `http://127.0.0.1:${await freePort()}/api/v1` }),
			/^127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\)$/,
		],
		[
			'a name that no one has',
			async () => ({ baseUrl: 'https://nowhere.invalid/api/v1' }),
			/^nowhere\.invalid could not be reached \(ENOTFOUND\)$/,
		],
		[
			'a certificate that no one vouches for',
			startSecureService,
			/^localhost:\d+ offers no secure connection \([A-Z_]+\)$/,
		],
		[
			'something that does not speak HTTP',
			() => startRawServer((socket) => void socket.end('220 mail.example.com ESMTP\r\n')),
			/^No response came from 127\.0\.0\.1:\d+ \(HPE_[A-Z_]+\)$/,
		],
	];

test.each(faults)('the error names %s', async (_what, start, words) => {
	const service = await start();
	const { baseUrl } = service;
	const credential = await createCredential(n8n, { baseUrl, apiKey: 'sk_test_none' }, 'Nowhere');
	const parameters = {
		...{ operation: 'sendTransactionalEmail', to: 'ada@example.com', templateSlug: 'welcome' },
		idempotency: 'none',
	};
	const workflow = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
	const { message, description } = errorOf(await n8n.run(workflow, 'Start'));
	await service.stop?.();
	expect(message).toMatch(words);
	// Only a server that accepted the connection may have received it.
	const mayHaveCome = words.source.includes('No response');
	expect(description.includes('may already have been sent')).toBe(mayHaveCome);
});
