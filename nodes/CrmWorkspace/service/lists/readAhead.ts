import { realClock } from '../../transport/pacing/clock';

/** In requests: what goes out before the first of them is answered. */
const firstWidth = 3;

interface RequestUnderWay<Request, Answer> {
	request: Request;
	answer: Promise<Answer>;
}

/**
 * Makes requests, up to `concurrency` at a time, and yields their answers in the order of the
 * requests. It begins with fewer at a time, because the first answers may show that going on makes
 * no sense. No further request begins while the caller looks at an answer, or after it has left the
 * loop. The generator then waits for the requests under way, so that none of them is answered after
 * what the caller asks for next; but not after a failure, so that the caller hears of it at once.
 * @param next the next request, if there is one as far as is known: asked again after each answer
 * @throws what a request throws, after the answers to those before it
 */
export async function* readAhead<Request, Answer>(
	next: () => Request | undefined,
	concurrency: number,
	perform: (request: Request) => Promise<Answer>,
): AsyncGenerator<{ request: Request; answer: Answer }> {
	let underWay: Array<RequestUnderWay<Request, Answer>> = [];
	try {
		for (let width = Math.min(firstWidth, concurrency); ; width = concurrency) {
			const areOthers = underWay.length > 0;
			while (underWay.length < width) {
				const request = next();
				if (request === undefined) break;
				const answer = perform(request);
				// One that fails before it is looked at must not count as unhandled.
				answer.catch(() => undefined);
				underWay.push({ request, answer });
			}
			// Lets the requests that were just begun go out before the caller gets the next answer.
			if (areOthers) await realClock.wait(0);
			const oldest = underWay.shift();
			if (!oldest) return;
			yield { request: oldest.request, answer: await oldest.answer.catch(giveUpOthers) };
		}
	} finally {
		await Promise.allSettled(underWay.map(({ answer }) => answer));
	}

	function giveUpOthers(error: unknown): never {
		underWay = [];
		throw error;
	}
}
