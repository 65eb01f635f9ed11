/** In requests: what goes out before the first of them is answered. */
const firstWidth = 3;

/**
 * Makes requests in batches of up to `concurrency` at a time and yields their answers in the order of
 * the requests. It begins with a smaller batch, because the first answers may show that going on
 * makes no sense.
 * @param next the next request, if there is one as far as is known: asked again after each batch
 * @throws what a request throws
 */
export async function* readAhead<Request, Answer>(
	next: () => Request | undefined,
	concurrency: number,
	perform: (request: Request) => Promise<Answer>,
): AsyncGenerator<{ request: Request; answer: Answer }> {
	for (let width = Math.min(firstWidth, concurrency); ; width = concurrency) {
		const batch: Array<{ request: Request; answer: Promise<Answer> }> = [];
		while (batch.length < width) {
			const request = next();
			if (request === undefined) break;
			batch.push({ request, answer: perform(request) });
		}
		if (batch.length === 0) return;
		const answers = await Promise.all(batch.map(({ answer }) => answer));
		for (const [index, { request }] of batch.entries()) yield { request, answer: answers[index] };
	}
}
