import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { contactsOf, pageOf } from '../contacts.mts';

const pageSize = 100;

export interface RunningService {
	baseUrl: string;
	stop(): Promise<void>;
}

/**
 * Starts a service without a rate limit and without work of its own: it has all pages of contacts
 * ready, and accepts each message.
 * @param latency in ms
 */
export async function startService(contacts: number, latency: number): Promise<RunningService> {
	const all = contactsOf(contacts);
	const pages = Array.from({ length: contacts / pageSize }, (_, index) =>
		JSON.stringify(pageOf(all, index + 1, pageSize)),
	);
	let count = 0;
	const server = createServer(async (request, response) => {
		const number = count++;
		const text =
			request.method === 'GET' ? pages[pageIn(request) - 1] : await sent(request, number);
		const statusCode = request.method === 'GET' ? 200 : 201;
		setTimeout(
			() => response.writeHead(statusCode, { 'content-type': 'application/json' }).end(text),
			latency,
		);
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

function pageIn({ url }: IncomingMessage): number {
	return Number(new URL(url!, 'http://any').searchParams.get('page'));
}

async function sent(request: IncomingMessage, number: number): Promise<string> {
	const message = (await json(request)) as object;
	return JSON.stringify({ data: { id: `message-${number}`, status: 'queued', ...message } });
}
