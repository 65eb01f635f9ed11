import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { endAtExit } from './atExit.mts';
import { until } from './client.mts';
import { isPinned, n8nFolder, n8nNode } from './installed.mts';

const n8nCommand = join(n8nFolder, 'node_modules/n8n/bin/n8n');

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
	// On a busy machine, n8n would take its database for lost, and refuse requests.
	DB_PING_TIMEOUT_MS: '60000',
	// Older ones do not start where a module is named that they do not have.
	...(isPinned && {
		N8N_DISABLED_MODULES: 'mcp-registry,otel,source-control,log-streaming',
	}),
};

export interface N8nProcessOptions {
	/** The command of n8n: `start`, or `worker` with its flags. */
	command: string[];
	dataFolder: string;
	/** On which it says whether it is ready. */
	port: number;
	environment: Record<string, string>;
	/** The flags of Node.js itself, such as `--inspect=127.0.0.1:0`. */
	nodeFlags?: string[];
}

/** One process of the playground's n8n, which can be ended and started again on the same data. */
export class N8nProcess {
	readonly #options: N8nProcessOptions;
	readonly #logFile: string;
	#child?: ChildProcess;

	constructor(options: N8nProcessOptions) {
		this.#options = options;
		this.#logFile = join(options.dataFolder, 'n8n.log');
	}

	/**
	 * Starts it, unless it runs, and waits until it is ready.
	 * @throws an Error that ends with the end of what it has printed
	 */
	async start(): Promise<void> {
		if (this.#isRunning) return;
		const { command, dataFolder, environment, port, nodeFlags = [] } = this.#options;
		const log = openSync(this.#logFile, 'a');
		const child = spawn(n8nNode, [...nodeFlags, n8nCommand, ...command], {
			env: { ...process.env, ...quietly, N8N_USER_FOLDER: dataFolder, ...environment },
			stdio: ['ignore', log, log],
		});
		this.#child = child;
		closeSync(log);
		await once(child, 'spawn');
		endAtExit(child, 'SIGKILL');
		try {
			await ready(`http://127.0.0.1:${port}`, () => this.#isRunning);
		} catch (error) {
			await this.end('SIGKILL');
			throw new Error(
				`${(error as Error).message}\n${this.log().split('\n').slice(-30).join('\n')}`,
			);
		}
	}

	/** Sends it a signal that ends it, and waits until it has ended. */
	async end(signal: NodeJS.Signals): Promise<void> {
		if (!this.#isRunning) return;
		const ended = once(this.#child!, 'exit');
		this.#child!.kill(signal);
		await ended;
	}

	/** Everything it has printed so far. */
	log(): string {
		return readFileSync(this.#logFile, 'utf8');
	}

	get #isRunning(): boolean {
		return this.#child?.exitCode === null && this.#child.signalCode === null;
	}
}

/** n8n says that it is ready some seconds before it knows the routes of its editor. */
async function ready(url: string, isRunning: () => boolean): Promise<void> {
	const isReady = async () => {
		if (!isRunning()) throw new Error('n8n ended instead of starting');
		const answer = await request(`${url}/healthz/readiness`).catch(() => undefined);
		await answer?.body.dump();
		return answer?.statusCode === 200 || undefined;
	};
	await until('n8n to start', isReady, { seconds: 300 });
}
