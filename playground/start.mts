import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endAtExit, throwAwayFolder } from './atExit.mts';
import { N8n } from './client.mts';
import { freePort } from './ports.mts';
import { N8nProcess } from './process.mts';

export interface PlaygroundOptions {
	/** The packed package, as `tools/pack.mts` makes it. Without one, n8n starts as it comes. */
	tarball?: string;
	/** Free by default. */
	port?: number;
	/**
	 * A throw-away folder by default, which goes when n8n is stopped, or this process ends; a given one
	 * stays, with the data for the next n8n that is started on it.
	 */
	dataFolder?: string;
	environment?: Record<string, string>;
	/** The flags of Node.js itself, such as `--inspect=127.0.0.1:0`. */
	nodeFlags?: string[];
}

export interface Playground {
	n8n: N8n;
	/** Of its owner. */
	password: string;
	dataFolder: string;
	/** Everything n8n has printed so far. */
	log(): string;
	/** Lets n8n end in its own time. */
	stop(): Promise<void>;
	/** Ends n8n as a power cut would. */
	kill(): Promise<void>;
	/** Starts it again on the same data and address, after `kill`, or after `stop` with a given folder. */
	start(): Promise<void>;
}

/** The pinned n8n with the package installed and its owner logged in. */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
	const throwAway = options.dataFolder ? undefined : throwAwayFolder('n8n-playground-');
	const dataFolder = options.dataFolder ?? throwAway!.path;
	const port = options.port ?? (await freePort());
	const main = new N8nProcess({
		command: ['start'],
		dataFolder,
		port,
		environment: {
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...options.environment,
		},
		nodeFlags: options.nodeFlags,
	});
	const n8n = new N8n(`http://127.0.0.1:${port}`);
	const password = passwordIn(dataFolder);

	async function start() {
		await main.start();
		await n8n.logIn(password);
	}

	if (options.tarball) await installPackage(options.tarball, dataFolder);
	await start();
	return {
		n8n,
		password,
		dataFolder,
		log: () => main.log(),
		start,
		kill: () => main.end('SIGKILL'),
		async stop() {
			await main.end('SIGTERM');
			throwAway?.remove();
		},
	};
}

/** Puts the package where n8n puts a community package, the way n8n does. */
export async function installPackage(tarball: string, dataFolder: string): Promise<void> {
	const folder = join(dataFolder, '.n8n', 'nodes');
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		join(folder, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	const flags = ['--ignore-scripts', '--legacy-peer-deps', '--omit=dev', '--no-package-lock'];
	const quiet = ['--no-audit', '--no-fund', '--bin-links=false'];
	const npm = promisify(execFile)('npm', ['install', tarball, ...flags, ...quiet], { cwd: folder });
	endAtExit(npm.child, 'SIGKILL');
	await npm;
}

/** Drawn for new data, and kept with it. n8n wants a capital letter and a digit. */
function passwordIn(dataFolder: string): string {
	const file = join(dataFolder, 'password');
	if (!existsSync(file)) {
		mkdirSync(dataFolder, { recursive: true });
		writeFileSync(file, `Pg1-${randomBytes(18).toString('base64url')}`, { mode: 0o600 });
	}
	return readFileSync(file, 'utf8');
}
