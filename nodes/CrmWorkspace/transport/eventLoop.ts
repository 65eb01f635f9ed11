import { realClock } from './clock';

/** How long the event loop may be kept without a break, in ms. */
const longest = 20;

/** The time since the event loop has last turned, as far as this package knows. */
interface Stretch {
	endsAt: number;
	/** Shared, so that several that go on after it do not each take a stretch of their own. */
	pause?: Promise<void>;
}

let stretch: Stretch | undefined;

/**
 * To be awaited between the steps of any work whose steps are many: when the steps so far have
 * kept the event loop for 20 ms, whichever run of this process they belong to, everything else has
 * its turn first, such as n8n's webhooks and its Stop. Costs next to nothing otherwise.
 */
export async function yieldToEventLoop(): Promise<void> {
	stretch ??= begin();
	if (realClock.now() < stretch.endsAt) return;
	// A timer that was due already would end before anything that arrived meanwhile is looked at.
	stretch.pause ??= realClock.wait(0);
	await stretch.pause;
}

function begin(): Stretch {
	void realClock.wait(0).then(() => {
		stretch = undefined;
	});
	return { endsAt: realClock.now() + longest };
}
