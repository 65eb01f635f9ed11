import type { Protocol } from 'devtools-protocol';

/** Whose work a function is, by a part of its file's address. The first one that fits counts. */
const owners: Array<[owner: string, file: RegExp]> = [
	['this package', /n8n-nodes-crm-workspace/],
	['the HTTP Request node', /n8n-nodes-base/],
	[
		'HTTP client',
		/axios|follow-redirects|agent|form-data|proxy|request-helper|^node:_?(http|net|tls|url|zlib|dns|stream|internal\/(streams|url|stream_base|net|dns))/,
	],
	['storing the execution', /flatted|typeorm|sqlite|@n8n\/db|execution-lifecycle|^Backup/],
	[
		"n8n's engine and expressions",
		/n8n-core|n8n-workflow|@n8n\/(expression|tournament|utils|errors)|luxon|lodash|expression/,
	],
	["n8n's task runners", /task-broker|task-runner|\/ws\//],
];

/** How much CPU time each owner took in a profile of n8n, in ms, the greatest first. */
export function byOwner({ nodes, samples = [], timeDeltas = [] }: Protocol.Profiler.Profile) {
	const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
	const times = new Map<string, number>();
	for (const [index, id] of samples.entries()) {
		const owner = ownerOf(frames.get(id)!);
		if (owner) times.set(owner, (times.get(owner) ?? 0) + timeDeltas[index] / 1000);
	}
	return new Map([...times].sort((a, b) => b[1] - a[1]));
}

/** Undefined where nothing is computed. */
function ownerOf({ functionName, url }: Protocol.Runtime.CallFrame): string | undefined {
	if (functionName === '(idle)') return undefined;
	if (functionName === '(garbage collector)') return 'garbage collection';
	const place = url || functionName;
	return owners.find(([, file]) => file.test(place))?.[0] ?? 'the rest of n8n and Node.js';
}
