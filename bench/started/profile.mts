import type { Protocol } from 'devtools-protocol';

/**
 * Whose work a function is, by the address of its file or, where it is one of Node.js itself, by its
 * name. The first one that fits counts.
 */
const owners: Array<[owner: string, place: RegExp]> = [
	['this package', /n8n-nodes-crm-workspace/],
	['the HTTP Request node', /n8n-nodes-base/],
	['credentials', /credential|crypto|^(Cipher|Hash|HKDF|digest|update|final)/i],
	['expressions', /expression|tournament|^(evalClosureSync|dispose)$/],
	['storing the execution', /flatted|typeorm|tarn|sqlite|execution-persistence|@n8n\/db|^Backup$/],
	[
		'HTTP client',
		/backend-network|axios|follow-redirects|agent|form-data|proxy|^node:(_http|net|url|zlib|dns|internal\/(streams|url|abort|event_target|net))|^(connect|writev|close|shutdown|TCP|set(KeepAlive|NoDelay)|parse|execute)$/,
	],
	["n8n's engine", /n8n-core|n8n-workflow|\/n8n\/dist|@n8n/],
];

/** How much time of the main thread each owner took in a profile of n8n, in ms, the greatest first. */
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
	return owners.find(([, one]) => one.test(place))?.[0] ?? 'the rest of n8n and Node.js';
}
