/**
 * The operation Update Contact. It promises that a contact keeps what an item doesn't map, although
 * the interface doesn't say what becomes of fields that are left out: `contactWriter.ts` compares each
 * response with what the contact had, and repairs. Items of one contact are done in input order, each
 * on what the one before has written; a run (`updateRun.ts`) takes turns with all others at a contact.
 */
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { pickFields, simplifiedContactFields } from '../../service/records';
import { simplify } from '../../parameters/sharedProperties';
import { readRequestOptions } from '../requestOptions';
import { runItems, type Operation } from '../runItems';
import { hint } from '../../text/plainText';
import { Contacts } from './contacts';
import { addLosses, ContactWriter, openLosses } from './contactWriter';
import { describeMapping } from './fields';
import { properties } from './properties';
import { comparesFirst, getName, readUpdate, type Update } from './update';
import { UpdateRun, type Result, type UpdateResult } from './updateRun';

/** Update Contact: changes fields of one contact for each item. */
export const updateContact: Operation = {
	properties,

	async execute(context, connection) {
		const losses = openLosses(context);
		const ofEarlierTries = losses.length > 0 ? [hint(losses.join(' '), 'warning')] : [];
		const results: Result[] = [];
		const updates: Update[] = [];
		const { concurrency } = readRequestOptions(context);
		const contacts = new Contacts(connection, concurrency);
		const writer = new ContactWriter(connection, losses);
		const run = new UpdateRun(connection, contacts, writer);
		const { items, hints } = await runItems(context, connection, {
			prepare(item) {
				const update = readUpdate(item);
				const isSimplified = item.boolean(simplify);
				updates.push(update);
				run.expect(update);
				return { update, isSimplified };
			},

			laneOf: ({ update }) => run.laneOf(update),

			async perform({ prepared: { update, isSimplified } }) {
				const done = await run.perform(update);
				results.push(done.result);
				return buildOutput(done, isSimplified);
			},

			takesRequest: ({ update }) => !comparesFirst(update),
		})
			.catch((error: Error) => {
				throw addLosses(error, losses);
			})
			.finally(() => contacts.close());
		const count = context.getInputData().length;
		const names = new Set(updates.map(({ reference }) => getName(reference)));
		const isDryRun = updates.some((update) => update.isDryRun);
		// n8n may repeat a run with error items, too.
		if (results.length === count) losses.length = 0;
		const ownHints = [
			...describeResults(results, count, isDryRun),
			...(updates.length > 1 && names.size === 1 ? [hint(sameContact, 'warning')] : []),
			...writer.hints(),
			...ofEarlierTries,
			...(updates.length > 0 ? describeMapping(context, updates) : []),
		];
		return { items, hints: [...hints, ...ownHints] };
	},
};

const sameContact =
	"All items are for the same contact. If each item is for a contact of its own, set 'Contact' to By Email or By ID, with an expression such as {{ $json.email }}";

/** The output of an item: `_result`, `_changes` where they are known, and the contact's fields. */
function buildOutput(
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
function describeResults(results: Result[], items: number, isDryRun: boolean): NodeExecutionHint[] {
	if (items < 2) return [];
	const count = (result: Result) => results.filter((one) => one === result).length;
	const written =
		isDryRun && count('updated') === 0
			? `Dry run, nothing was written: ${count('wouldUpdate')} would be updated`
			: `${count('updated')} updated`;
	const failed = items - results.length;
	return [hint(`${written}, ${count('unchanged')} unchanged, ${failed} failed`)];
}
