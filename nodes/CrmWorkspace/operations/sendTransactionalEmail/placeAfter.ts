import type { KeyFinding } from '../../service/explanations';
import type { Claim, Fate, Place } from './memory';

/** What came of a message that was tried at a place: the service has it there, or what that tells. */
export type Answer = Exclude<Fate, 'open' | 'failed'> | KeyFinding;

/**
 * What an answer means for the message:
 * - done: it is there
 * - told: another one is there, perhaps this one in other words
 * - sentBefore: this one is there in other words
 * - next: nothing is there, and never will be: it goes on to the next place
 * - failedNow, refused, inDoubt: it ends in an error for this time
 */
export type Verdict = 'done' | 'told' | 'sentBefore' | 'next' | 'failedNow' | 'refused' | 'inDoubt';

/**
 * What is known of a place after an answer, and what the answer means for the message that was tried
 * there. The same table stands in docs/what-a-message-is-known-by.md.
 * Interface: KEY-2, KEY-3, KEY-5, KEY-6.
 * @param before what was known before; null for nothing
 * @param claim that of the message
 */
export function placeAfter(
	before: Place | null,
	answer: Answer,
	claim: Claim,
): { place: Place | null; verdict: Verdict } {
	const { fate, claims } = before ?? { fate: 'open', claims: [] };
	const others = claims.filter((one) => !isSame(one, claim));
	const isIts = others.length < claims.length;
	const claimed: Place | null = fate === 'open' ? { fate, claims: [...others, claim] } : before;
	const failed: Place = { fate: 'failed', claims: claims.length > 0 ? claims : [claim] };

	switch (answer) {
		case 'sent':
		case 'doubtful':
		case 'rejected':
			return { place: { fate: answer, claims: [claim] }, verdict: 'done' };
		case 'untouched':
			return { place: before, verdict: 'refused' };
		case 'turnedDown':
			// Perhaps that was a failed send, and the key is used up.
			return { place: claimed, verdict: 'refused' };
		case 'lost':
			return { place: claimed, verdict: 'inDoubt' };
		case 'failed':
			return { place: failed, verdict: 'next' };
		case 'failedNow':
			return { place: failed, verdict: 'failedNow' };
		case 'otherContent':
			if (fate === 'rejected') return { place: failed, verdict: 'next' };
			return { place: before, verdict: isIts && fate !== 'open' ? 'sentBefore' : 'told' };
	}
}

/** Whether two claims are of the same message. */
export function isSame(one: Claim, other: Claim): boolean {
	return one.turn === other.turn && one.name === other.name;
}
