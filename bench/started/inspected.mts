import connect, { type Client } from 'chrome-remote-interface';
import type { Protocol } from 'devtools-protocol';
import { startPlayground, type Playground } from '../../playground/start.mts';
import { pack } from '../../tools/pack.mts';

/** What n8n's process did while something was done in it. */
export interface Seen {
	/** CPU time of all its threads, in ms. */
	computed: number;
	/** The longest time between two turns of its event loop, in ms. */
	longestBlock: number;
	/** The memory that it held before, in MB. */
	before: number;
	/** The most memory that it has held since it was started, in MB. */
	peak: number;
}

/** A started n8n with the package in it, into which one can look. */
export interface InspectedN8n extends Playground {
	/** Measures its process while some work is done. */
	watch(work: () => Promise<void>): Promise<Seen>;
	/** Takes a CPU profile of its main thread while some work is done. */
	profile(work: () => Promise<void>): Promise<Protocol.Profiler.Profile>;
}

/** How often a profile looks, in microseconds. */
const interval = 500;

/** Starts an n8n instance in which nothing was done yet. */
export async function startInspected(): Promise<InspectedN8n> {
	const nodeFlags = ['--inspect=127.0.0.1:0'];
	const playground = await startPlayground({ tarball: await pack(), nodeFlags });
	const [, host, port] = /ws:\/\/([\d.]+):(\d+)/.exec(playground.log())!;
	const client = await connect({ host, port: Number(port) });
	return {
		...playground,
		watch: async (work) => await watch(client, work),
		profile: async (work) => await profile(client, work),
		async stop() {
			await client.close();
			await playground.stop();
		},
	};
}

async function watch(client: Client, work: () => Promise<void>): Promise<Seen> {
	await evaluate(client, begin);
	await work();
	return (await evaluate(client, end)) as Seen;
}

/** In n8n's process. */
const begin = `{
	const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
	globalThis.watched = {
		delay: monitorEventLoopDelay({ resolution: 1 }),
		before: process.memoryUsage.rss() / 1e6,
		cpu: process.cpuUsage(),
	};
	watched.delay.enable();
}`;

/** There, too. Node.js tells microseconds, nanoseconds and kilobytes of 1,024 bytes. */
const end = `{
	const { user, system } = process.cpuUsage(watched.cpu);
	watched.delay.disable();
	({
		computed: (user + system) / 1e3,
		longestBlock: watched.delay.max / 1e6,
		before: watched.before,
		peak: process.resourceUsage().maxRSS * 1024 / 1e6,
	});
}`;

async function evaluate({ Runtime }: Client, expression: string): Promise<unknown> {
	const { result, exceptionDetails } = await Runtime.evaluate({ expression, returnByValue: true });
	if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
	return result.value;
}

async function profile({ Profiler }: Client, work: () => Promise<void>) {
	await Profiler.enable();
	await Profiler.setSamplingInterval({ interval });
	await Profiler.start();
	await work();
	const { profile } = await Profiler.stop();
	await Profiler.disable();
	return profile;
}
