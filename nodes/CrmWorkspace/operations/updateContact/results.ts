import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { simplified, simplifiedContactFields } from '../../service/records';
import { hint } from '../../text/hint';
import type { Update } from './update';
import type { Result, UpdateResult } from './updateRun';

/** The output of an item: `_result`, `_changes` where they are known, and the contact's fields. */
export function output(
	{ record, result, changes }: UpdateResult,
	isSimplified: boolean,
): IDataObject {
	const shown = isSimplified ? simplified(record, simplifiedContactFields) : record;
	return { _result: result, ...(changes && { _changes: changes }), ...shown } as IDataObject;
}

/** Whether mapped tags took the place of others, or may have, although nobody has chosen that. */
export function replacesTags(
	{ fields: { tags = [] }, areTagsChosen }: Update,
	{ changes }: UpdateResult,
): boolean {
	if (areTagsChosen || tags.length === 0 || (changes && !changes.tags)) return false;
	const old = changes?.tags.old;
	return old === undefined || (Array.isArray(old) && old.some((tag) => !tags.includes(tag)));
}

export const hintOfReplacedTags = hint(
	'Mapped tags replace all others that a contact has. To keep them, set the option Tags to Add',
);

/**
 * A hint that sums up what came of the items, where there are several.
 * @param results those of the items that were done
 * @param items how many there are
 */
export function hintOfResults(
	results: Result[],
	items: number,
	isDryRun: boolean,
): NodeExecutionHint[] {
	if (items < 2) return [];
	const count = (result: Result) => results.filter((one) => one === result).length;
	const written =
		isDryRun && count('updated') === 0
			? `Dry run, nothing was written: ${count('wouldUpdate')} would be updated`
			: `${count('updated')} updated`;
	const failed = items - results.length;
	return [hint(`${written}, ${count('unchanged')} unchanged, ${failed} failed`)];
}
