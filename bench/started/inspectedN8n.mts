import connect from 'chrome-remote-interface';
import { type Playground, startPlayground } from '../../playground/start.mts';
import { pack } from '../../tools/pack.mts';

/** What n8n's process used. */
export interface Usage {
	/** CPU time of all threads since it was started, in ms. */
	cpu: number;
	/** Memory that it has now, and the most that it has had, in MB. */
	memory: number;
	peak: number;
}

/** One n8n instance with the package, and without executions so far. */
export interface InspectedN8n extends Playground {
	usage(): Promise<Usage>;
}

/** Evaluated in n8n's process. Node.js returns microseconds, bytes, and kilobytes of 1,024 bytes. */
const expression = `({
	cpu: (process.cpuUsage().user + process.cpuUsage().system) / 1e3,
	memory: process.memoryUsage.rss() / 1e6,
	peak: process.resourceUsage().maxRSS * 1024 / 1e6,
})`;

export async function startInspected(): Promise<InspectedN8n> {
	const nodeFlags = ['--inspect=127.0.0.1:0'];
	const playground = await startPlayground({ tarball: await pack(), nodeFlags });
	const [, host, port] = /ws:\/\/([\d.]+):(\d+)/.exec(playground.log())!;
	const client = await connect({ host, port: Number(port) });
	return {
		...playground,
		async usage() {
			const { result } = await client.Runtime.evaluate({ expression, returnByValue: true });
			return result.value as Usage;
		},
		async stop() {
			await client.close();
			await playground.stop();
		},
	};
}
