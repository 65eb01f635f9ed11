import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { node } from './productionWorkflow.mts';

/** A service that the workflows of a test ask, beside the one that they send with. */
export interface Upstream {
	/** A node that asks below `path`: it gives an item for each row, or one empty item. */
	node(name: string, path: string): ReturnType<typeof node>;
	/** The rows that are given below `path` from now on. */
	give(path: string, rows: object[]): void;
	/** Fails the request with this number, counted from 1 for each path, and no other. */
	fail(path: string, request: number): void;
	stop(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
	const rows = new Map<string, object[]>();
	const failing = new Map<string, number>();
	const requests = new Map<string, number>();
	const server = createServer((request, response) => {
		const path = request.url!.slice(1);
		const count = (requests.get(path) ?? 0) + 1;
		requests.set(path, count);
		const status = failing.get(path) === count ? 500 : 200;
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(status === 200 ? (rows.get(path) ?? {}) : { message: 'Out' }));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		node: (name, path) =>
			node(name, 'n8n-nodes-base.httpRequest', 4.2, { url: `${url}/${path}`, options: {} }),
		give: (path, given) => rows.set(path, given),
		fail: (path, request) => failing.set(path, request),
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
