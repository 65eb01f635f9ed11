/** What a run of Send Transactional Email says: hints at its end, and a note if an error ends it. */
import { NodeOperationError, type NodeExecutionHint } from 'n8n-workflow';
import { tokensOf } from '../../service/tokens';
import { hint } from '../../text/hint';
import { listed } from '../../text/plainText';
import { isRejected, RequestFailure } from '../../transport/failure';
import { ItemProblem } from '../itemProblem';
import type { Delivery } from './deliver';
import type { GivenMessage } from './message';

/** What came of an item: an equal one before it in the run may have sent its message. */
export type Result = Delivery & { isRepeated: boolean };

/**
 * What an error that ends the run adds to the number of items that were done.
 * @param to the recipient of the item that failed; undefined if it has none
 */
export function noteOnStop(error: unknown, to: string | undefined, haveKeys: boolean): string {
	const isRefused =
		error instanceof ItemProblem ||
		error instanceof NodeOperationError ||
		(error instanceof RequestFailure &&
			isRejected(error.details) &&
			![401, 403].includes(error.details.statusCode!));
	if (!isRefused) return haveKeys ? 'A retry of the execution sends the others only.' : '';
	const item = to === undefined ? 'This item' : `The item for ${to}`;
	return `${item} ends a retry as well, and the others are not sent. Correct or remove it, or set On Error to Continue (using error output).`;
}

/**
 * Hints about variables that had no value, and about those that no token uses: their tokens may be
 * misspelled, or written as in another tool.
 */
export function hintsOfVariables(given: GivenMessage[]): NodeExecutionHint[] {
	const withoutValue = countByName(given.map(({ gaveNothing }) => gaveNothing));
	const unused = countByName(given.map(unusedVariables));
	const empty = [...withoutValue].map(([name, count]) => `${name} (${count} of ${given.length})`);
	const useless = [...unused].filter(([, count]) => count === given.length).map(([name]) => name);
	return [
		...(empty.length > 0
			? [
					`Variables whose expression gave nothing for some items: ${listed(empty)}. Their tokens used the fallback`,
				]
			: []),
		...(useless.length > 0
			? [
					`No token uses these variables: ${listed(useless)}. A token is written like {{${useless[0]}}}; tags of other tools, such as *|NAME|*, are sent as they are`,
				]
			: []),
	].map((text) => hint(text, 'warning'));
}

function unusedVariables({ message, tokens, areEnteredSingly, variables }: GivenMessage): string[] {
	if (!areEnteredSingly || message.html === undefined) return [];
	return Object.keys(variables).filter((name) => tokensOf(name, tokens).length === 0);
}

function countByName(lists: string[][]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const name of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
	return counts;
}

export function hintsOfResults(results: Result[]): NodeExecutionHint[] {
	const counted = (isOne: (result: Result) => boolean, text: string, type?: 'warning') => {
		const count = results.filter(isOne).length;
		return count > 0 ? [hint(`${count} of ${results.length} ${text}`, type)] : [];
	};
	return [
		...counted(
			({ isRepeated }) => isRepeated,
			"items had the same message for the same recipient as an earlier item, and it was sent once. If one item is enough, turn on Execute Once in the node's settings. To send equal messages, set Idempotency to None, or give each its own custom key",
			'warning',
		),
		...counted(
			({ isRepeated, wasSentBefore }) => wasSentBefore && !isRepeated,
			'messages had been sent before and were not sent again',
		),
		...counted(
			({ message }) => message !== undefined && Object.keys(message).length === 0,
			"messages were accepted without details. If the service doesn't have them, check Base URL in the credential",
		),
	];
}
