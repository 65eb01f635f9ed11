import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { request } from 'undici';
import { N8n, until } from './client.mts';

const n8nCommand = join(import.meta.dirname, '../.playground/n8n/node_modules/n8n/bin/n8n');

export interface PlaygroundOptions {
	/** The packed package, as `tools/pack.mts` makes it. Without one, n8n starts as it comes. */
	tarball?: string;
	/** Free by default. */
	port?: number;
	/** A throw-away folder by default, which goes when n8n is stopped; a given, empty one stays. */
	dataFolder?: string;
	environment?: Record<string, string>;
}

export interface Playground {
	n8n: N8n;
	/** Of its owner, drawn anew for each playground. */
	password: string;
	dataFolder: string;
	/** Everything n8n has printed so far. */
	log(): string;
	/** Lets n8n end in its own time. */
	stop(): Promise<void>;
	/** Ends n8n as a power cut would. */
	kill(): Promise<void>;
	/** Starts it again on the same data and address, after `kill`. */
	start(): Promise<void>;
}

/** The pinned n8n with the package installed and its owner logged in. */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
	const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'n8n-playground-'));
	const logFile = join(dataFolder, 'n8n.log');
	const port = options.port ?? (await freePort());
	const environment = {
		...process.env,
		...quietly,
		N8N_USER_FOLDER: dataFolder,
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		...options.environment,
	};
	const n8n = new N8n(`http://127.0.0.1:${port}`);
	const password = drawPassword();
	let child: ChildProcess;

	async function start() {
		const log = openSync(logFile, 'a');
		child = spawn(process.execPath, [n8nCommand, 'start'], {
			env: environment,
			stdio: ['ignore', log, log],
		});
		process.once('exit', () => child.kill('SIGKILL'));
		try {
			await ready(n8n, child);
			await n8n.logIn(password);
		} catch (error) {
			await end('SIGKILL');
			throw new Error(`${(error as Error).message}\n${tail(logFile)}`);
		}
	}

	async function end(signal: NodeJS.Signals) {
		if (child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, 'exit');
		child.kill(signal);
		await ended;
	}

	if (options.tarball) await install(options.tarball, dataFolder);
	await start();
	return {
		n8n,
		password,
		dataFolder,
		log: () => readFileSync(logFile, 'utf8'),
		start,
		kill: () => end('SIGKILL'),
		async stop() {
			await end('SIGTERM');
			if (!options.dataFolder) rmSync(dataFolder, { recursive: true, force: true });
		},
	};
}

/** For this machine only, no calls to the outside, no questions, no cookie that wants https. */
const quietly = {
	NODE_ENV: 'production',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry,otel,source-control,log-streaming',
};

/** Puts the package where n8n puts a community package, the way n8n does. */
async function install(tarball: string, dataFolder: string): Promise<void> {
	const folder = join(dataFolder, '.n8n', 'nodes');
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		join(folder, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	const flags = ['--ignore-scripts', '--legacy-peer-deps', '--omit=dev', '--no-package-lock'];
	const quiet = ['--no-audit', '--no-fund', '--bin-links=false'];
	await promisify(execFile)('npm', ['install', tarball, ...flags, ...quiet], { cwd: folder });
}

/** n8n says that it is ready some seconds before it knows the routes of its editor. */
async function ready(n8n: N8n, child: ChildProcess): Promise<void> {
	await until('n8n to start', 120, async () => {
		if (child.exitCode !== null) throw new Error('n8n ended instead of starting');
		const answer = await request(`${n8n.url}/healthz/readiness`).catch(() => undefined);
		await answer?.body.dump();
		return answer?.statusCode === 200 || undefined;
	});
}

/** n8n wants a capital letter and a digit. */
function drawPassword(): string {
	return `Pg1-${randomBytes(18).toString('base64url')}`;
}

/** A port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, 'close');
	return port;
}

function tail(file: string): string {
	return readFileSync(file, 'utf8').split('\n').slice(-30).join('\n');
}
