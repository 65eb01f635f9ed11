import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import type { ContactFieldName } from '../../../nodes/CrmWorkspace/service/records';
import type { RunningSandbox } from './sandbox.mts';

/** What becomes of fields that an update leaves out: null, or a default of the service's own. */
export type Emptied = Partial<Record<ContactFieldName, unknown>>;

/** A sandbox that empties some of the fields that an update leaves out, and keeps the others. */
export interface EmptyingService extends RunningSandbox {
	emptied: Emptied;
	/** The bodies of the updates as the node has sent them. */
	updates: Array<Record<string, unknown>>;
}

/** Puts a server in front of a sandbox, which adds to each update what it is to empty. */
export async function startEmptyingService(sandbox: RunningSandbox): Promise<EmptyingService> {
	const { origin, pathname } = new URL(sandbox.baseUrl);
	const server = createServer((asked, answer) => {
		void (async () => {
			const body = await text(asked);
			const { method, url = '', headers } = asked;
			const { host, connection, 'content-length': length, ...others } = headers;
			const given = await request(origin + url, {
				method: method as 'GET' | 'PUT',
				headers: others,
				body: method === 'PUT' ? JSON.stringify(service.updated(JSON.parse(body))) : undefined,
			});
			answer.writeHead(given.statusCode, {
				'content-type': String(given.headers['content-type']),
			});
			answer.end(await given.body.text());
		})().catch(() => answer.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const service = {
		...sandbox,
		baseUrl: `http://127.0.0.1:${port}${pathname}`,
		emptied: {} as Emptied,
		updates: [] as Array<Record<string, unknown>>,
		updated(body: Record<string, unknown>) {
			service.updates.push(body);
			return { ...service.emptied, ...body };
		},
		async stop() {
			server.closeAllConnections();
			server.close();
			await sandbox.stop();
		},
	};
	return service;
}
