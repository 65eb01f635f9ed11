import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server that answers with any bytes, HTTP or not. */
export interface RawServer {
	baseUrl: string;
	/** Each request as it came, with its body, in order. */
	requests: string[];
	stop(): Promise<void>;
}

/**
 * Starts a server on a free port of this machine.
 * @param answer writes to the socket what answers a request; `index` counts from 0
 */
export async function startRawServer(
	answer: (socket: Socket, request: string, index: number) => void,
): Promise<RawServer> {
	const requests: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		let received = '';
		socket.on('error', () => undefined);
		socket.on('close', () => sockets.delete(socket));
		socket.on('data', (chunk) => {
			received += chunk.toString('latin1');
			const end = received.indexOf('\r\n\r\n');
			const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
			if (end === -1 || received.length < end + 4 + length) return;
			const request = received;
			received = '';
			requests.push(request);
			answer(socket, request, requests.length - 1);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	// A test that fails doesn't come to its end, where it is stopped.
	server.unref();
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
		requests,
		async stop() {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

/** A list without contacts. */
export const emptyList = {
	data: [],
	meta: { pagination: { page: 1, limit: 100, totalCount: 0, totalPages: 0 } },
};

/** An HTTP answer with the right length; it ends the connection. */
export function httpAnswer(
	body: string | Buffer,
	{ status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Buffer {
	const bytes = Buffer.from(body);
	const all = {
		'content-type': 'application/json',
		'content-length': bytes.length,
		connection: 'close',
		...headers,
	};
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), bytes]);
}

/** A request as a service reads it. */
export interface AskedJson {
	method: string;
	/** Below the base URL. */
	path: string;
	query: URLSearchParams;
	body: Record<string, unknown>;
}

/**
 * Starts a service whose answers are JSON.
 * @param respond gives the body of a 200, or all that `httpAnswer` takes
 */
export async function startJsonServer(
	respond: (asked: AskedJson, index: number) => object,
): Promise<RawServer> {
	return await startRawServer((socket, request, index) => {
		const [head, text] = request.split('\r\n\r\n');
		const [method, target] = head.split(' ');
		const { pathname, searchParams: query } = new URL(target, 'http://127.0.0.1');
		const asked = { method, path: pathname.replace('/api/v1', ''), query };
		const body = respond({ ...asked, body: JSON.parse(text || '{}') }, index);
		socket.end(Buffer.isBuffer(body) ? body : httpAnswer(JSON.stringify(body)));
	});
}

/** A page with all of these. */
export function onePage(data: object[]) {
	const pagination = { page: 1, limit: 100, totalCount: data.length, totalPages: 1 };
	return { data, meta: { pagination } };
}
