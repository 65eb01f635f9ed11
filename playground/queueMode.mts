import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './client.mts';
import { freePort } from './ports.mts';
import { N8nProcess } from './process.mts';
import { deleteKeys, query, serverVariables } from './servers.mts';
import { installPackage, type Playground, startPlayground } from './start.mts';

/** The pinned n8n in queue mode. */
export interface QueueMode {
	/** Takes the calls of webhooks, and hands executions on. */
	main: Playground;
	/** Run the executions. */
	workers: N8nProcess[];
	/** The worker that has begun an execution, once one has. */
	workerOf(execution: string): Promise<N8nProcess>;
	/** Each execution's data, as n8n has stored it. */
	storedExecutions(): Promise<string[]>;
	/** Ends everything, and leaves nothing in the servers. */
	stop(): Promise<void>;
}

export interface QueueModeOptions {
	tarball: string;
	/** A folder that is there, and stays. */
	folder: string;
	workers: number;
	environment?: Record<string, string>;
}

/**
 * Starts main and workers on Redis and PostgreSQL, with a database and a key prefix of their own.
 * @throws an Error if a server can't be used, or what `startPlayground` throws
 */
export async function startQueueMode(options: QueueModeOptions): Promise<QueueMode> {
	const name = `crm_workspace_${randomBytes(6).toString('hex')}`;
	await query(`CREATE DATABASE ${name}`);
	// No test needs its data after a crash of the server.
	await query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
	const environment = { ...shared(name), ...serverVariables(name), ...options.environment };
	let main: Playground | undefined;
	let workers: N8nProcess[] = [];

	async function stop() {
		await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
		await main?.kill();
		await query(`DROP DATABASE ${name} WITH (FORCE)`);
		await deleteKeys(name);
	}

	try {
		const dataFolder = join(options.folder, 'main');
		await installPackage(options.tarball, dataFolder);
		workers = await Promise.all(
			Array.from({ length: options.workers }, (_, index) =>
				workerIn(join(options.folder, `worker${index + 1}`), dataFolder, environment),
			),
		);
		// It creates the tables, for which workers would wait.
		main = await startPlayground({ dataFolder, environment });
		await Promise.all(workers.map((worker) => worker.start()));
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		...{ main, workers, stop },
		workerOf: (execution) =>
			until(`a worker to begin execution ${execution}`, async () =>
				workers.find((worker) => worker.log().includes(`Worker started execution ${execution} `)),
			),
		async storedExecutions() {
			return (await query('SELECT data FROM execution_data', name)).map(({ data }) => data);
		},
	};
}

/** A worker with the package that main has installed. */
async function workerIn(
	dataFolder: string,
	mainFolder: string,
	environment: Record<string, string>,
): Promise<N8nProcess> {
	mkdirSync(join(dataFolder, '.n8n'), { recursive: true });
	symlinkSync(join(mainFolder, '.n8n/nodes'), join(dataFolder, '.n8n/nodes'));
	const port = await freePort();
	return new N8nProcess({
		command: ['worker', '--concurrency=5'],
		dataFolder,
		port,
		environment: {
			...environment,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		},
	});
}

/** What main and workers have in common. A worker that is gone is noticed in seconds, not minutes. */
function shared(prefix: string): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
		QUEUE_BULL_PREFIX: prefix,
		N8N_REDIS_KEY_PREFIX: prefix,
		QUEUE_WORKER_LOCK_DURATION: '8000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
		QUEUE_WORKER_STALLED_INTERVAL: '2000',
		N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
	};
}
