import { passUntilDone } from '../harness/clock.mts';
import type { Log } from '../harness/log.mts';
import { beginAnew } from '../harness/random.mts';
import { deletionPace, limitOf, tellsAll, type History } from './history.mts';
import { judge } from './judge.mts';
import { listAll } from './node.mts';
import { Service } from './service.mts';
import { saidBy } from './words.mts';

let runs = 0;

/** Plays a history. @throws Violation */
export async function play(history: History, log: Log): Promise<void> {
	beginAnew(history.chance, history.chance % 1000);
	const service = new Service(history, log);
	const stop = new AbortController();
	service.onTooMany = () => stop.abort();
	const { concurrency, requestsPerMinute } = history;
	let outcome = 'violation';
	try {
		const listed = await passUntilDone(
			listAll({
				name: `list${++runs}`,
				concurrency,
				requestsPerMinute,
				limit: limitOf(history),
				ask: (url, query) => service.answer(url, query),
				stop: stop.signal,
			}),
		);
		for (const hint of listed.hints) if (!saidBy(hint)) log.unread.add(hint);
		log.tell(
			() => `Output: ${listed.json.map(({ firstName }) => firstName).join(' ') || 'nothing'}`,
		);
		for (const hint of listed.hints) log.tell(() => `Hint: ${hint}`);
		outcome = judge(history, service, listed);
	} finally {
		count(history, service, outcome, log);
	}
}

function count(history: History, service: Service, outcome: string, log: Log): void {
	const { order, concurrency, pageSize, variants } = history;
	const pace = deletionPace(history);
	log.count('requests', service.requests);
	log.count(`order: ${order}`);
	log.count(`concurrency ${concurrency}`);
	log.count(`pages of ${pageSize <= 10 ? '3 to 10' : '11 to 100'}`);
	log.count(`service's clock ahead by ${variants.ahead} ms`);
	log.count(`the clock of Date ahead of that of contacts by ${variants.dateAhead} ms`);
	log.count(`a page past the end is answered ${variants.pastEnd}`);
	log.count(`${service.rate}, ${tellsAll(history) ? 'all told' : 'not all told'}: ${outcome}`);
	if (pace) {
		log.count(`deleted one by one, every ${String(pace).padStart(3)} requests: ${outcome}`);
	}
}
