import { loadFromN8n } from './installed.mts';
import { freePort } from './ports.mts';
import type { ServerKind } from './servers.mts';

export const redis: ServerKind = {
	name: 'Redis',
	variable: 'REDIS_URL',
	usual: 'redis://127.0.0.1:6379',
	program: 'redis-server',
	furtherFolders: [],
	ask: (url) => withRedis(url, async (client) => void (await client.ping())),
	async prepare(program, dataFolder) {
		const port = String(await freePort());
		const flags = ['--port', port, '--bind', '127.0.0.1', '--dir', dataFolder, '--save', ''];
		return { url: `redis://127.0.0.1:${port}`, command: [program, ...flags] };
	},
};

/** Deletes all keys that begin like this, and no other. */
export async function deleteKeys(url: string, prefix: string): Promise<void> {
	await withRedis(url, async (client) => {
		for await (const keys of client.scanStream({ match: `${prefix}*` })) {
			if (keys.length > 0) await client.unlink(...keys);
		}
	});
}

async function withRedis(url: string, use: (client: any) => Promise<void>): Promise<void> {
	const { Redis } = loadFromN8n('ioredis');
	const client = new Redis(url, { lazyConnect: true, connectTimeout: 2000, retryStrategy: null });
	// Without a listener, ioredis prints what `connect` throws as well.
	let cause: Error | undefined;
	client.on('error', (error: Error) => (cause = error));
	try {
		await client.connect().catch((error: Error) => Promise.reject(cause ?? error));
		await use(client);
	} finally {
		client.disconnect();
	}
}
