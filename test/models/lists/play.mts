import type { History } from './history.mts';
import { judge } from './judge.mts';
import { listAll, type Listed } from './node.mts';
import { quickRandom } from './random.mts';
import { Service } from './service.mts';
import { leapOn, passUntilDone } from './time.mts';
import { saidBy } from './words.mts';

/** What became of a history. */
export interface Played {
	service: Service;
	listed?: Listed;
	outcome?: string;
	/** Hints of no known kind. */
	unread: string[];
}

/** In ms: until then a pacer has forgotten the runs before. */
const pause = 30 * 60_000;

let runs = 0;

/**
 * Plays a history.
 * @param watch is given what becomes of it, also when it ends with an error
 * @param options isTold: whether to write down what happens, which takes time
 * @throws Violation
 */
export async function play(
	history: History,
	watch: (played: Played) => void = () => {},
	{ isTold = false } = {},
): Promise<void> {
	// Whatever is left to chance comes out the same when the history is played again.
	leapOn(pause, history.chance % 1000);
	Math.random = quickRandom(history.chance);
	const service = new Service(history, isTold);
	const stop = new AbortController();
	service.onTooMany = () => stop.abort();
	const played: Played = { service, unread: [] };
	watch(played);
	const { concurrency, requestsPerMinute } = history;
	played.listed = await passUntilDone(
		listAll({
			name: `list${++runs}`,
			concurrency,
			requestsPerMinute,
			answer: (url, query) => service.answer(url, query),
			stop: stop.signal,
		}),
	);
	played.unread = played.listed.hints.filter((hint) => saidBy(hint) === undefined);
	played.outcome = judge(history, service, played.listed);
}
