import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { simplified, simplifiedContactFields } from '../../service/records';
import type { Result, UpdateResult } from './apply';

/** The output of an item: the contact's fields, `_result`, and `_changes` where they are known. */
export function output({ record, result, changes }: UpdateResult, simplify: boolean): IDataObject {
	const shown = simplify ? simplified(record, simplifiedContactFields) : record;
	return { ...shown, _result: result, ...(changes && { _changes: changes }) } as IDataObject;
}

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
	const written = isDryRun
		? `${count('wouldUpdate')} would be updated`
		: `${count('updated')} updated`;
	const failed = items - results.length;
	const counts = `${written}, ${count('unchanged')} unchanged, ${failed} failed`;
	const message = `${isDryRun ? 'Dry run, nothing was written: ' : ''}${counts}`;
	return [{ message, type: 'info', location: 'outputPane' }];
}
