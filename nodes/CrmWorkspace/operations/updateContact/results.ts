import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { simplified, simplifiedContactFields, type ContactFieldName } from '../../service/records';
import { listed } from '../../text/plainText';
import type { Result, UpdateResult } from './apply';
import { displayNames } from '../../parameters/contactFields';
import { hint } from '../../text/hint';

/** The output of an item: `_result`, `_changes` where they are known, and the contact's fields. */
export function output(
	{ record, result, changes }: UpdateResult,
	isSimplified: boolean,
): IDataObject {
	const shown = isSimplified ? simplified(record, simplifiedContactFields) : record;
	return { _result: result, ...(changes && { _changes: changes }), ...shown } as IDataObject;
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
	return [hint(message)];
}

/** What became of the tags that contacts had, where mapped ones replaced them. */
export interface ReplacedTags {
	lost: number;
	/** How many may have lost some: what they had is not known. */
	unknown: number;
}

export function countReplacedTags(
	{ lost, unknown }: ReplacedTags,
	{ changes }: UpdateResult,
): ReplacedTags {
	const { old, new: now } = changes?.tags ?? {};
	const kept = Array.isArray(now) ? now : [];
	const isLost = Array.isArray(old) && old.some((tag) => !kept.includes(tag));
	const isUnknown = !changes || ('tags' in changes && old === undefined);
	return { lost: lost + Number(isLost), unknown: unknown + Number(isUnknown) };
}

/** A hint on tags that mapped ones have replaced, which few people expect. */
export function hintOfReplacedTags(
	{ lost, unknown }: ReplacedTags,
	isDryRun: boolean,
): NodeExecutionHint[] {
	if (lost + unknown === 0) return [];
	const whose = (count: number) => (count === 1 ? 'a contact' : `${count} contacts`);
	const known = lost > 0 ? `: ${whose(lost)} ${isDryRun ? 'would lose' : 'lost'} some` : '';
	const message = `Mapped tags replace all others${known}. To keep them, set the option Tags to Add`;
	return [hint(message)];
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
	return [hint(message)];
}
