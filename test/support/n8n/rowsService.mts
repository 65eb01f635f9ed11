import fastify from 'fastify';
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
	const server = fastify({ forceCloseConnections: true });
	server.get<{ Params: { path: string } }>('/:path', async ({ params: { path } }) => {
		const count = (requests.get(path) ?? 0) + 1;
		requests.set(path, count);
		if (failing.get(path) === count) throw new Error('Out');
		return rows.get(path) ?? {};
	});
	const url = await server.listen({ port: 0, host: '127.0.0.1' });
	return {
		node: (name, path) =>
			node(name, 'n8n-nodes-base.httpRequest', 4.2, { url: `${url}/${path}`, options: {} }),
		give: (path, given) => rows.set(path, given),
		fail: (path, request) => failing.set(path, request),
		stop: async () => await server.close(),
	};
}
