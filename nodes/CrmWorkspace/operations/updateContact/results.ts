import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { pickFields, simplifiedContactFields } from '../../service/records';
import { hint } from '../../text/hint';
import type { Result, UpdateResult } from './updateRun';

/** The output of an item: `_result`, `_changes` where they are known, and the contact's fields. */
export function buildOutput(
	{ record, result, changes }: UpdateResult,
	isSimplified: boolean,
): IDataObject {
	const shown = isSimplified ? pickFields(record, simplifiedContactFields) : record;
	return { _result: result, ...(changes && { _changes: changes }), ...shown } as IDataObject;
}

/**
 * A hint that sums up what came of the items, where there are several.
 * @param results those of the items that were done
 */
export function describeResults(
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
