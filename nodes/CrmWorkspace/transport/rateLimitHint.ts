import { duration } from '../text/duration';

/** What the rate limit has made of a run. */
export interface RateLimitFigures {
	/** How often the service turned a request away because of it (429). */
	turnedAway: number;
	/** How often it put one off, and said until when and not why (503). */
	putOff: number;
	/** How long requests waited for it, waits at the same time counted once, in ms. */
	waited: number;
	/** How many requests got through, from the first one asked for to the last answer, in ms. */
	letThrough: { requests: number; within: number };
	/** The fewest requests per minute that the credentials in use allowed the key when one waited. */
	allowed: number;
	/** The fewest that refusals had left of these then. */
	kept: number;
}

/** From how long on a wait is worth telling, in ms. */
const longWait = 1000;

const minute = 60_000;

/**
 * All that the user should know of the rate limit, in one text; undefined where there is nothing.
 * A wait that the credential asks for is told as that only where the service refused nothing: of a
 * limit that it does not say, a refusal tells more.
 * @param ofCredential requests per minute that the run's own credential allows this process
 */
export function rateLimitHint(
	{ turnedAway, putOff, waited, letThrough, allowed, kept }: RateLimitFigures,
	ofCredential: number,
): string | undefined {
	const { requests, within } = letThrough;
	const perMinute = within < minute ? 0 : Math.floor((requests * minute) / within);
	const through = perMinute > 0 ? `, and ${counted(perMinute, 'a minute')} got through` : '';
	const effect = waited < longWait ? '' : `: the run waited ${duration(waited)}${through}`;

	if (turnedAway > 0) {
		const others = putOff > 0 ? `, and put off ${counted(putOff)} (HTTP 503)` : '';
		return `The service turned away ${counted(turnedAway)} because of its rate limit${others}${effect}. Perhaps ${reasons}. ${advice}`;
	}
	if (putOff > 0) {
		return `The service put off ${counted(putOff)} for as long as it said (HTTP 503)${effect}. If that was its rate limit, perhaps ${reasons}. ${advice}`;
	}
	if (waited < longWait) return undefined;
	if (kept < allowed) {
		return `Waited ${duration(waited)}, because the service turned away requests with this API key shortly before: the node kept to ${counted(kept, 'per minute')}. Perhaps ${reasons}. ${advice}`;
	}
	const fewest = Math.min(allowed, ofCredential);
	const source =
		fewest < ofCredential ? 'another credential in use with its API key' : 'the credential';
	return `Waited ${duration(waited)} to keep within ${counted(fewest, 'per minute')}, as ${source} says`;
}

const reasons = 'it allows fewer than the credential says, or something else uses the same API key';

const advice =
	'In the credential, set Requests per Minute to what the service allows, and n8n Processes to how many of them use the key';

function counted(requests: number, per?: string): string {
	const count = per === undefined && requests === 1 ? 'a' : String(requests);
	return [count, requests === 1 ? 'request' : 'requests', per].filter(Boolean).join(' ');
}
