import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contactsOf, pageOf, pageSize } from '../contacts.mts';

/** Starts a service without a rate limit, which has all pages of contacts ready. */
export async function startService(contacts: number, latencyMs: number) {
	const all = contactsOf(contacts);
	const pages = Array.from({ length: contacts / pageSize }, (_, index) =>
		JSON.stringify(pageOf(all, index + 1, pageSize)),
	);
	const server = createServer(({ url }, response) => {
		const page = Number(new URL(url!, 'http://any').searchParams.get('page'));
		response.setHeader('content-type', 'application/json');
		setTimeout(() => response.end(pages[page - 1]), latencyMs);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/api/v1`,
		async stop() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
