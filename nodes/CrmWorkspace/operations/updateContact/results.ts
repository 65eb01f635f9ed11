import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { simplified, simplifiedContactFields } from '../../service/records';
import type { UpdateResult } from './apply';

/** The record, and beside its fields what came of the item, so that a next node can count. */
export function output({ record, result, changes }: UpdateResult, simplify: boolean): IDataObject {
	const shown = simplify ? simplified(record, simplifiedContactFields) : record;
	return { ...shown, _result: result, ...(changes && { _changes: changes }) } as IDataObject;
}

/** A hint that sums up what came of the items, where there are several. */
export function hintOfResults(items: INodeExecutionData[], isDryRun: boolean): NodeExecutionHint[] {
	if (items.length < 2) return [];
	const results = items.map(({ json, error }) => (error ? 'failed' : json._result));
	const count = (result: string) => results.filter((one) => one === result).length;
	const written = isDryRun
		? `${count('wouldUpdate')} would be updated`
		: `${count('updated')} updated`;
	const counts = `${written}, ${count('unchanged')} unchanged, ${count('failed')} failed`;
	const message = `${isDryRun ? 'Dry run, nothing was written: ' : ''}${counts}`;
	return [{ message, type: 'info', location: 'outputPane' }];
}
