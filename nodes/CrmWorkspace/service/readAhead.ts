import { realClock } from '../transport/pacing/clock';

/** How many requests go out before the first of them is answered. */
const firstWidth = 3;

/**
 * Makes requests, up to `concurrency` at a time, and yields their answers in the order of the
 * requests. It begins with fewer at a time, because the first answers may show that going on makes
 * no sense. No further request begins while the caller looks at an answer, or after it has left the
 * loop. The generator then waits for the requests under way, but not after a failure, so that the
 * caller hears of it at once.
 * @throws what a request throws, in its turn
 */
export async function* readAhead<Request, Answer>(
	requests: Request[],
	concurrency: number,
	perform: (request: Request) => Promise<Answer>,
): AsyncGenerator<{ request: Request; answer: Answer }> {
	const underWay: Array<Promise<Answer>> = [];
	let begun = 0;
	try {
		for (const [index, request] of requests.entries()) {
			const width = index === 0 ? Math.min(firstWidth, concurrency) : concurrency;
			for (; begun < Math.min(requests.length, index + width); begun++) {
				const promise = perform(requests[begun]);
				// One that fails before its turn comes must not count as unhandled.
				promise.catch(() => undefined);
				underWay.push(promise);
			}
			// Lets the requests that were just begun go out before the caller gets the next answer.
			if (index > 0) await realClock.wait(0);
			yield { request, answer: await underWay.shift()!.catch(giveUpOthers) };
		}
	} finally {
		await Promise.allSettled(underWay);
	}

	function giveUpOthers(error: unknown): never {
		underWay.length = 0;
		throw error;
	}
}
