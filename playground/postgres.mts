import { execFile, execFileSync } from 'node:child_process';
import { chownSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { loadFromN8n } from './installed.mts';
import { freePort } from './ports.mts';
import type { ServerKind } from './servers.mts';

const { PGHOST = '127.0.0.1', PGPORT = '5432', PGUSER = 'postgres' } = process.env;

export const postgres: ServerKind = {
	name: 'PostgreSQL',
	variable: 'POSTGRES_URL',
	usual: `postgres://${PGUSER}@${PGHOST}:${PGPORT}/postgres`,
	program: 'postgres',
	// Debian has it in no folder of the PATH, because several versions can be installed.
	furtherFolders: globSync('/usr/lib/postgresql/*/bin'),
	ask: async (url) => void (await query(url, 'SELECT 1')),
	async prepare(program, dataFolder) {
		const uid = process.getuid?.() === 0 ? unprivileged() : undefined;
		if (uid !== undefined) chownSync(dataFolder, uid, -1);
		const data = join(dataFolder, 'data');
		const init = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync', data];
		await promisify(execFile)(join(dirname(program), 'initdb'), init, { uid, cwd: dataFolder });
		const port = String(await freePort());
		const flags = ['-D', data, '-h', '127.0.0.1', '-p', port, '-k', dataFolder, '-c', 'fsync=off'];
		return {
			url: `postgres://postgres@127.0.0.1:${port}/postgres`,
			command: [program, ...flags],
			uid,
		};
	},
};

/** Where a URL leads and with what, as PostgreSQL's usual variables complete it. */
export function connectionOf(url: string): {
	host: string;
	port: number;
	user: string;
	password: string | null;
} {
	return clientOf(url);
}

/** One query, and its rows. */
export async function query(url: string, sql: string): Promise<any[]> {
	const client = clientOf(url);
	// A connection that breaks says so to its query, too.
	client.on('error', () => {});
	try {
		await client.connect();
		return (await client.query(sql)).rows;
	} finally {
		await client.end();
	}
}

function clientOf(url: string): any {
	const { Client } = loadFromN8n('pg');
	return new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): number {
	const idOf = (user: string) => Number(execFileSync('id', ['-u', user], { stdio: 'pipe' }));
	try {
		return idOf('postgres');
	} catch {
		return idOf('nobody');
	}
}
