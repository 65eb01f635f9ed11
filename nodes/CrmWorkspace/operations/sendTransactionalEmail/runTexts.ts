/** What a run of Send Transactional Email says: hints at its end, and a note if an error ends it. */
import { NodeOperationError, type NodeExecutionHint } from 'n8n-workflow';
import { hint, formatList } from '../../text/plainText';
import { ExplainedError, isContentRejected, RequestFailure } from '../../transport/failure';
import type { Delivery } from './deliver';
import type { GivenNames } from './message';

/** What came of an item: an equal one before it in the run may have sent its message. */
export type Result = Delivery & { isRepeated: boolean };

/**
 * What an error that ends the run adds to the number of items that were done.
 * @param to the recipient of the item that failed; undefined if it has none
 */
export function noteOnStop(error: unknown, to: string | undefined, haveKeys: boolean): string {
	const isRefused =
		error instanceof ExplainedError ||
		error instanceof NodeOperationError ||
		(error instanceof RequestFailure && isContentRejected(error.details));
	if (!isRefused) return haveKeys ? 'A retry of the execution sends only the others.' : '';
	const item = to === undefined ? 'This item' : `The item for ${to}`;
	return `${item} stops every retry, so the remaining messages stay unsent. Correct or remove it, or set 'On Error' to Continue (using error output).`;
}

/**
 * Hints about what may be a mistake: fields and variables that had no value, variables that no token
 * uses, as their tokens may be misspelled or written as in another tool, and doubts of the texts.
 */
export function describeTexts(given: GivenNames[]): NodeExecutionHint[] {
	const count = (lists: Array<Iterable<string>>) => {
		const counts = new Map<string, number>();
		for (const name of lists.flatMap((list) => [...list]))
			counts.set(name, (counts.get(name) ?? 0) + 1);
		return [...counts].map(([name, number]) => `${name} (${number} of ${given.length} items)`);
	};
	const gaps = count(given.map(({ doubts }) => doubts.gaps));
	const empty = count(given.map(({ withoutValue }) => withoutValue));
	const unused = (given[0]?.unused ?? []).filter((name) =>
		given.every((one) => one.areEntered && one.unused.includes(name)),
	);
	const texts = [
		gaps.length > 0 && `These fields were empty, so messages have gaps: ${formatList(gaps)}`,
		empty.length > 0 &&
			`These variables had no value, so their tokens show a fallback or nothing: ${formatList(empty)}`,
		unused.length > 0 &&
			`No token uses these variables: ${formatList(unused)}. A token is written like {{${formatList(unused.slice(0, 1))}}}; tags of other tools are sent as they are`,
		...count(given.map(({ doubts }) => doubts.sentences)).slice(0, 5),
	];
	return texts.flatMap((text) => (text ? [hint(text, 'warning')] : []));
}

export function describeResults(results: Result[]): NodeExecutionHint[] {
	const repeated = results.filter(({ isRepeated }) => isRepeated).length;
	const before = results.filter((one) => one.wasSentBefore && !one.isRepeated).length;
	const once = `${repeated} of ${results.length} items had the same message for the same recipient as an earlier item, and it was sent once. If one item is enough, turn on 'Execute Once' in the node's settings. To send equal messages, set 'Idempotency Key' to None, or give each its own custom key`;
	const earlier = `${before} of ${results.length} messages had been sent before and were not sent again`;
	return [...(repeated > 0 ? [hint(once, 'warning')] : []), ...(before > 0 ? [hint(earlier)] : [])];
}
