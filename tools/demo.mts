import { once } from 'node:events';
import Table from 'cli-table3';
import { exitWhenTold } from '../playground/atExit.mts';
import { owner } from '../playground/client.mts';
import { createExampleCredentials } from '../playground/examples.mts';
import { portIfFree } from '../playground/ports.mts';
import { type Outcome, runExamples } from '../playground/runExamples.mts';
import { type Playground, startPlayground } from '../playground/start.mts';
import { type Sandbox, startSandbox } from '../sandbox/index.mts';
import { parseOptions } from './options.mts';
import { pack } from './pack.mts';

const { N8N_PORT = '5678', SANDBOX_PORT = '8787' } = process.env;
const { values: flags } = parseOptions('demo', {
	once: { type: 'boolean', meaning: 'run the examples and end, instead of waiting for Ctrl-C' },
	'n8n-port': {
		type: 'string',
		default: N8N_PORT,
		meaning: 'port of n8n, or the variable N8N_PORT',
	},
	'sandbox-port': {
		type: 'string',
		default: SANDBOX_PORT,
		meaning: 'port of the sandbox, or the variable SANDBOX_PORT',
	},
});

/**
 * Shows the four example workflows in a real n8n, with real requests to the service on this
 * machine, and stays up to be looked at.
 */
async function demo(): Promise<Outcome[]> {
	const ports = {
		n8n: await free('n8n', Number(flags['n8n-port'])),
		sandbox: await free('sandbox', Number(flags['sandbox-port'])),
	};
	const tarball = await step('packing the node', pack);
	const sandbox = await step('starting the sandbox', () => startSandbox({ port: ports.sandbox }));
	let playground: Playground | undefined;
	try {
		playground = await step('starting n8n', () => startPlayground({ tarball, port: ports.n8n }));
		const { n8n } = playground;
		const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
		const credentials = await createExampleCredentials(n8n, service);
		const outcomes = await step('running the examples', () =>
			runExamples(n8n, sandbox, credentials),
		);
		print(outcomes);
		if (!flags.once) await lookAround(playground, sandbox);
		return outcomes;
	} finally {
		await playground?.stop();
		await sandbox.stop();
	}
}

/** What happened at the service, and what did not. */
function print(outcomes: Outcome[]): void {
	const table = new Table({
		head: ['Workflow', 'What came of it', '', ''],
		colWidths: [24, 17, 26, 72],
		wordWrap: true,
		style: { head: [], border: [] },
	});
	for (const { workflow, effects, problem } of outcomes) {
		const rows = problem ? [['FAILED', '', problem]] : effects.map(Object.values<string>);
		const name = { content: workflow, rowSpan: rows.length };
		rows.forEach((row, index) => table.push(index === 0 ? [name, ...row] : row));
	}
	console.log(table.toString());
}

function summary(outcomes: Outcome[]): string {
	const sum = (what: 'messages' | 'contacts') =>
		outcomes.reduce((total, outcome) => total + outcome[what], 0);
	const [workflows, messages, contacts] = [outcomes.length, sum('messages'), sum('contacts')];
	return `demo: ${workflows} workflows, ${messages} messages in the inbox, ${contacts} contacts updated`;
}

/** Leaves everything running until Ctrl-C. */
async function lookAround({ n8n, password }: Playground, sandbox: Sandbox): Promise<void> {
	console.log(`Editor:    ${n8n.url}  (${owner.email}, password ${password})`);
	console.log(`Sandbox:   ${sandbox.controlUrl}`);
	console.log(`Base URL:  ${sandbox.baseUrl}  (for a credential of your own)`);
	console.log(`Test key:  ${sandbox.testKey}`);
	console.log('Ctrl-C stops both.');
	const alive = setInterval(() => {}, 60_000);
	exitAtOnceNoMore();
	await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
	clearInterval(alive);
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	process.stdout.write(`demo: ${title} … `);
	const start = Date.now();
	const result = await work();
	console.log(`${((Date.now() - start) / 1000).toFixed(1)} s`);
	return result;
}

async function free(what: string, port: number): Promise<number> {
	const free = await portIfFree(port);
	if (free !== undefined) return free;
	const variable = `${what.toUpperCase()}_PORT`;
	throw new Error(`port ${port} is taken: choose another with --${what}-port or ${variable}`);
}

// Until all is shown: then both are stopped in order.
const exitAtOnceNoMore = exitWhenTold();
try {
	const outcomes = await demo();
	if (outcomes.some(({ problem }) => problem)) process.exitCode = 1;
	console.log(summary(outcomes));
} catch (error) {
	console.error(`\ndemo: ${(error as Error).message}`);
	process.exitCode = 1;
}
