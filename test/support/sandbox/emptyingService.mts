import fastify from 'fastify';
import { request } from 'undici';
import type { ContactFieldName } from '../../../nodes/CrmWorkspace/api/records';
import type { Sandbox } from './sandbox.mts';

/** What becomes of fields that an update leaves out: null, or a default of the service's own. */
type Emptied = Partial<Record<ContactFieldName, unknown>>;

/** A sandbox that empties some of the fields that an update leaves out, and keeps the others. */
export interface EmptyingService extends Sandbox {
	emptied: Emptied;
	stop(): Promise<void>;
}

/** Puts a server in front of a sandbox, which adds to each update what it is to empty. */
export async function startEmptyingService(sandbox: Sandbox): Promise<EmptyingService> {
	const { origin, pathname } = new URL(sandbox.baseUrl);
	const server = fastify({ forceCloseConnections: true });
	server.all('/*', async (asked, answer) => {
		const { method, url, body } = asked;
		const { host, connection, 'content-length': length, ...headers } = asked.headers;
		const given = await request(origin + url, {
			method: method as 'GET' | 'PUT',
			headers,
			body: method === 'PUT' ? JSON.stringify({ ...service.emptied, ...Object(body) }) : undefined,
		});
		answer.code(given.statusCode).type(String(given.headers['content-type']));
		return await given.body.text();
	});
	const service: EmptyingService = {
		...sandbox,
		baseUrl: (await server.listen({ port: 0, host: '127.0.0.1' })) + pathname,
		emptied: {},
		stop: () => server.close(),
	};
	return service;
}
