import { realClock } from './pacing/clock';

/** In ms. */
const longestStretch = 20;

/** The time since the event loop last had a break, as far as this package knows. */
interface Stretch {
	endsAt: number;
	/** Shared by all that wait, so that they do not each block for another 20 ms after it. */
	pause?: Promise<void>;
}

let stretch: Stretch | undefined;

/**
 * To be awaited between the steps of any work whose steps are many: when the steps so far have
 * kept the event loop for 20 ms, whichever run of this process they belong to, everything else comes
 * first, such as n8n's webhooks and its Stop. Costs next to nothing otherwise.
 */
export async function yieldToEventLoop(): Promise<void> {
	stretch ??= begin();
	if (realClock.now() < stretch.endsAt) return;
	// Waits for a new timer: one that was already due would fire before the event loop looks at what
	// has arrived.
	stretch.pause ??= realClock.wait(0);
	await stretch.pause;
}

function begin(): Stretch {
	void realClock.wait(0).then(() => {
		stretch = undefined;
	});
	return { endsAt: realClock.now() + longestStretch };
}
