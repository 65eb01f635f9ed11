import { loadFromN8n } from './installed.mts';

/** Redis and PostgreSQL for n8n's queue mode: where the environment says, or where they usually are. */
const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const postgresUrl = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** In ms, until a server counts as missing. */
const patience = 20_000;

/** A server that can't be used, in words; undefined if both can. */
export async function missingServer(): Promise<string | undefined> {
	const ping = async () => await withRedis(async (client) => void (await client.ping()));
	return (
		(await problemOf('Redis', 'REDIS_URL', redisUrl, ping)) ??
		(await problemOf('PostgreSQL', 'POSTGRES_URL', postgresUrl, () => query('SELECT 1')))
	);
}

/** Why the tests of queue mode are left out; undefined if they can run, or have to. */
export async function whyWithoutQueue(): Promise<string | undefined> {
	return process.env.REQUIRE_ALL_GROUPS ? undefined : await missingServer();
}

/** Deletes all keys with a prefix. */
export async function deleteKeys(prefix: string): Promise<void> {
	await withRedis(async (client) => {
		for await (const keys of client.scanStream({ match: `${prefix}*` })) {
			if (keys.length > 0) await client.unlink(...keys);
		}
	});
}

/** One query and its rows. @param database another one than that of the URL */
export async function query(sql: string, database?: string): Promise<any[]> {
	const client = postgresClient(database);
	// If a connection breaks, its query fails, too.
	client.on('error', () => {});
	try {
		await client.connect();
		return (await client.query(sql)).rows;
	} finally {
		await client.end();
	}
}

/** How n8n reaches both servers, as its environment variables. */
export function serverVariables(database: string): Record<string, string> {
	const redis = new URL(redisUrl);
	const postgres = postgresClient();
	return {
		QUEUE_BULL_REDIS_HOST: redis.hostname,
		QUEUE_BULL_REDIS_PORT: redis.port || '6379',
		QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(redis.username),
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(redis.password),
		QUEUE_BULL_REDIS_DB: redis.pathname.slice(1) || '0',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.host,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: database,
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: postgres.password ?? '',
	};
}

async function problemOf(
	name: string,
	variable: string,
	url: string,
	ask: () => Promise<unknown>,
): Promise<string | undefined> {
	try {
		await ask();
		return undefined;
	} catch (error) {
		const reason = `the one on ${new URL(url).host} can't be used (${(error as Error).message})`;
		return `queue mode needs ${name}, but ${reason}: start it, or set ${variable}`;
	}
}

function postgresClient(database?: string): any {
	const { Client } = loadFromN8n('pg');
	const url = new URL(postgresUrl);
	if (database) url.pathname = database;
	return new Client({ connectionString: url.href, connectionTimeoutMillis: patience });
}

async function withRedis(use: (client: any) => Promise<void>): Promise<void> {
	const { Redis } = loadFromN8n('ioredis');
	const settings = { lazyConnect: true, connectTimeout: patience, retryStrategy: null };
	const client = new Redis(redisUrl, settings);
	// Without a listener, ioredis prints what `connect` throws, too.
	let cause: Error | undefined;
	client.on('error', (error: Error) => (cause = error));
	try {
		await client.connect().catch((error: Error) => Promise.reject(cause ?? error));
		await use(client);
	} finally {
		client.disconnect();
	}
}
