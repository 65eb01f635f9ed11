import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { simplified, simplifiedContactFields, type ContactFieldName } from '../../service/records';
import { listed } from '../../text/plainText';
import type { Result, UpdateResult } from './apply';
import { displayNames } from './fields';

/** The output of an item: the contact's fields, `_result`, and `_changes` where they are known. */
export function output({ record, result, changes }: UpdateResult, simplify: boolean): IDataObject {
	const shown = simplify ? simplified(record, simplifiedContactFields) : record;
	return { ...shown, _result: result, ...(changes && { _changes: changes }) } as IDataObject;
}

/** The fields of which the service does not show what they were before. */
export function fieldsNotShown({ changes = {} }: UpdateResult): ContactFieldName[] {
	const names = Object.keys(changes) as ContactFieldName[];
	return names.filter((name) => !('old' in changes[name]));
}

/** A hint, for a dry run, that names the fields which cannot be compared. */
export function hintOfFieldsNotShown(names: ReadonlySet<ContactFieldName>): NodeExecutionHint[] {
	if (names.size === 0) return [];
	const fields = listed([...names].map((name) => displayNames[name]));
	const message = `Not compared, and so counted as would be updated, because the service does not show what the contacts have: ${fields}`;
	return [{ message, type: 'info', location: 'outputPane' }];
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
