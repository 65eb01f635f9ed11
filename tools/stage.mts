/** What `npm run demo` and `npm run dev` show: n8n with the node, and the sandbox beside it. */
import { exitWhenTold } from '../playground/atExit.mts';
import { type N8n, owner } from '../playground/client.mts';
import { freePort } from '../playground/ports.mts';
import { type PlaygroundOptions, startPlayground } from '../playground/start.mts';
import { defaultOptions, type Sandbox, startSandbox } from '../sandbox/index.mts';
import { pack } from './pack.mts';

export interface Stage {
	n8n: N8n;
	password: string;
	sandbox: Sandbox;
	/** For a credential. */
	service: { baseUrl: string; apiKey: string };
}

/** Starts both, which end with this process, on other ports if their usual ones aren't free. */
export async function startStage(options: PlaygroundOptions = {}): Promise<Stage> {
	exitWhenTold();
	const usual = defaultOptions.port;
	const port = await freePort(usual);
	// Kept data has credentials for the usual one.
	if (options.dataFolder && port !== usual) {
		throw new Error(`Port ${usual} is taken: end the sandbox, demo or dev on it first`);
	}
	const sandbox = await step('starting the sandbox', () =>
		startSandbox({ port, start: Date.now() }),
	);
	const tarball = await step('packing the node', pack);
	const { n8n, password } = await step('starting n8n', async () =>
		startPlayground({ tarball, port: await freePort(5678), ...options }),
	);
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	return { n8n, password, sandbox, service };
}

/** Prints where to look. */
export function introduce({ n8n, password, sandbox, service }: Stage): void {
	console.log(`Editor:    ${n8n.url}  (${owner.email}, password ${password})`);
	console.log(`Sandbox:   ${sandbox.controlUrl}`);
	console.log(`Base URL:  ${service.baseUrl}  (for a credential of your own)`);
	console.log(`Test key:  ${service.apiKey}`);
	console.log('Ctrl-C stops both.');
}

export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	process.stdout.write(`${title} … `);
	const start = performance.now();
	const result = await work();
	console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`);
	return result;
}
