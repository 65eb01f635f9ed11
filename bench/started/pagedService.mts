import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { startSandbox } from '../../sandbox/index.mts';

const pageSize = 100;

/** A service that has its pages of contacts at hand and answers each request after the same time. */
export interface PagedService {
	baseUrl: string;
	apiKey: string;
	/** Requests since it was last asked. */
	takeCount(): number;
	stop(): Promise<void>;
}

/**
 * Starts a service with the sandbox's contacts, without its rules and without its work: what is
 * measured is who asks, not who answers.
 * @param latency ms until it answers
 */
export async function startPagedService(contacts: number, latency: number): Promise<PagedService> {
	const { pages, apiKey } = await pagesOfSandbox(contacts);
	let count = 0;
	const server = createServer((asked, answer) => {
		count++;
		const page = Number(new URL(asked.url!, 'http://any').searchParams.get('page'));
		setTimeout(
			() => answer.setHeader('content-type', 'application/json').end(pages[page - 1]),
			latency,
		);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/api/v1`,
		apiKey,
		takeCount() {
			const counted = count;
			count = 0;
			return counted;
		},
		async stop() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

async function pagesOfSandbox(contacts: number): Promise<{ pages: Buffer[]; apiKey: string }> {
	const sandbox = await startSandbox({ port: 0, contacts, requestsPerMinute: 0 });
	const headers = { authorization: `Bearer ${sandbox.testKey}` };
	const pages: Buffer[] = [];
	try {
		for (let page = 1; page <= contacts / pageSize; page++) {
			const url = `${sandbox.baseUrl}/contacts?page=${page}&limit=${pageSize}`;
			const { body } = await request(url, { headers });
			pages.push(Buffer.from(await body.arrayBuffer()));
		}
	} finally {
		await sandbox.stop();
	}
	return { pages, apiKey: sandbox.testKey };
}
