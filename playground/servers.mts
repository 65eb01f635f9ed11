import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { endAtExit, throwAwayFolder } from './atExit.mts';
import { until } from './client.mts';
import { postgres } from './postgres.mts';
import { redis } from './redis.mts';

/** A server that n8n's queue mode needs, and how it is reached or started. */
export interface ServerKind {
	name: string;
	/** The environment variable with its address. */
	variable: string;
	/** Where it usually is. */
	usual: string;
	/** The program that starts one. */
	program: string;
	/** Where that may be besides the PATH. */
	furtherFolders: string[];
	/** Asks it something. @throws an Error when it cannot be used. */
	ask(url: string): Promise<void>;
	/** Makes a folder ready for its data, and says how it is started on a free port. */
	prepare(program: string, dataFolder: string): Promise<Startable>;
}

export interface Startable {
	url: string;
	command: string[];
	/** Another user than root, where the server refuses to run as root. */
	uid?: number;
}

/** A server that answers: one that was there, or one of our own. */
export interface Server {
	url: string;
	/** Ends it, if it is our own. */
	stop(): Promise<void>;
}

/** There is no Redis or no PostgreSQL; the message says what helps. */
export class ServerMissing extends Error {}

/** Both, which are started where none is running. @throws ServerMissing */
export async function openServers(): Promise<{ redis: Server; postgres: Server }> {
	const found = { redis: await find(redis), postgres: await find(postgres) };
	return { redis: await open(redis, found.redis), postgres: await open(postgres, found.postgres) };
}

/** What `openServers` would miss, undefined when it would not. */
export async function missingServer(): Promise<string | undefined> {
	try {
		await find(redis);
		await find(postgres);
		return undefined;
	} catch (error) {
		if (error instanceof ServerMissing) return error.message;
		throw error;
	}
}

/** The address of a server that answers, or the program that starts one. */
type Found = { url: string } | { program: string };

/** The one that the environment names, else the one of this machine, else one to be started. */
async function find(kind: ServerKind): Promise<Found> {
	const named = process.env[kind.variable];
	const url = named ?? kind.usual;
	try {
		await kind.ask(url);
		return { url };
	} catch (error) {
		const program = named ? undefined : programOf(kind);
		if (program) return { program };
		const { host } = new URL(url);
		throw new ServerMissing(
			`n8n's queue mode needs ${kind.name}. The one on ${host} cannot be used (${(error as Error).message}): set ${kind.variable}, or install ${kind.program}`,
		);
	}
}

function programOf({ program, furtherFolders }: ServerKind): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...furtherFolders];
	const found = folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
	return found && realpathSync(found);
}

async function open(kind: ServerKind, found: Found): Promise<Server> {
	if ('url' in found) return { url: found.url, stop: async () => {} };
	const folder = throwAwayFolder(`n8n-${kind.program}-`);
	const { url, command, uid } = await kind.prepare(found.program, folder.path);
	const logFile = join(folder.path, 'log');
	const log = openSync(logFile, 'a');
	const [program, ...args] = command;
	const child = spawn(program, args, { uid, cwd: folder.path, stdio: ['ignore', log, log] });
	closeSync(log);
	await once(child, 'spawn');
	endAtExit(child, 'SIGINT');
	const stop = async () => {
		await end(child);
		folder.remove();
	};
	try {
		await until(`${kind.name} to start`, 30, () =>
			kind.ask(url).then(
				() => true,
				() => undefined,
			),
		);
	} catch (error) {
		const printed = readFileSync(logFile, 'utf8');
		await stop();
		throw new Error(`${(error as Error).message}\n${printed}`);
	}
	return { url, stop };
}

/** Both servers take SIGINT for a request to end at once and in order. */
async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	child.kill('SIGINT');
	await ended;
}
