import '../support/keys/everythingOf.mts';
import { expect } from '@jest/globals';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { runNode } from '../support/engine/runNode.mts';
import { testSince } from '../support/n8n/testSince.mts';

/** n8n's protection against requests into its own network (SSRF). It is set at the first request. */
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';

const blocking = testSince('2.31', 'blocks no requests into its own network');

blocking.each([
	['an address', 'http://192.168.3.4/api/v1'],
	['a name', 'http://localhost:9/api/v1'],
])('%s that n8n blocks: the error says so at once, and what to do', async (_what, baseUrl) => {
	for (const name of ['Send Transactional Email', 'List'] as const) {
		const { error } = await runNode({
			parameters: { ...oneRequestEach[name], idempotency: 'none' },
			credential: { baseUrl, apiKey: 'sk_test_blocked', requestsPerMinute: 100_000 },
		});
		expect(error?.message).toMatch(
			/(wasn't sent|weren't read): n8n made no request: The request was blocked because/,
		);
		expect(error?.description).toContain('network settings of n8n');
		expect(error?.description).not.toMatch(/Tried|may have been/);
	}
});
