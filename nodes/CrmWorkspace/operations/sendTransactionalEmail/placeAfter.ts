import type { KeyFinding } from '../../service/explanations';
import type { Claim, Fate, Place } from './memory';

/** What came of a message that was tried at a place: the service has it there, or what that tells. */
export type Answer = Exclude<Fate, 'open' | 'failed'> | KeyFinding;

/**
 * What an answer means for the message:
 * - done: it is there
 * - occupied: another one is there, perhaps this one in other words
 * - changed: this one is there in other words
 * - next: nothing is there, and never will be: it goes on to the next place
 * - failedNow, refused, inDoubt: it ends in an error for this time
 */
export type Verdict =
	| 'done'
	| 'occupied'
	| 'changed'
	| 'next'
	| 'failedNow'
	| 'refused'
	| 'inDoubt';

/**
 * What is known of a place after an answer, and what the answer means for the message that was tried
 * there. The same table stands in docs/what-a-message-is-known-by.md.
 * Interface: KEY-2, KEY-3, KEY-5, KEY-6.
 * @param before what was known before; null for nothing
 * @param claim that of the message
 * @param remembersAll whether every message that may be there has claimed the place
 */
export function placeAfter(
	before: Place | null,
	answer: Answer,
	claim: Claim,
	remembersAll: boolean,
): { place: Place | null; verdict: Verdict } {
	const { fate, claims } = before ?? { fate: 'open', claims: [] };
	const others = claims.filter((one) => !areOfOneMessage(one, claim));
	const hasClaimed = others.length < claims.length;
	const afterError: Place | null =
		hasClaimed && fate === 'sent' ? { fate, claims, mayComeBack: true } : before;
	const afterErrorWithClaim: Place | null =
		fate === 'open' ? { fate, claims: [...others, claim] } : afterError;

	switch (answer) {
		case 'sent':
		case 'doubtful':
		case 'rejected':
			return { place: { fate: answer, claims: [claim] }, verdict: 'done' };
		case 'untouched':
			return { place: afterError, verdict: 'refused' };
		case 'turnedDown':
			// Perhaps that was a failed send, and the key is used up.
			return { place: afterErrorWithClaim, verdict: 'refused' };
		case 'lost':
			return { place: afterErrorWithClaim, verdict: 'inDoubt' };
		case 'failed':
			// The send that failed was that of the only one that had claimed the place.
			return {
				place: { fate: 'failed', claims: claims.length === 1 ? claims : [claim] },
				verdict: 'next',
			};
		case 'failedNow':
			return { place: { fate: 'failed', claims: [claim] }, verdict: 'failedNow' };
		case 'otherContent':
			if (fate === 'rejected') return { place: { fate: 'failed', claims }, verdict: 'next' };
			if (fate === 'open' && !(remembersAll && claims.length === 1)) {
				return { place: before, verdict: 'occupied' };
			}
			return {
				// What is there is that of the only one that can be.
				place: fate === 'open' ? { fate: 'doubtful', claims } : before,
				verdict: hasClaimed ? 'changed' : 'occupied',
			};
	}
}

export function areOfOneMessage(one: Claim, other: Claim): boolean {
	return one.turn === other.turn && one.name === other.name;
}
