/**
 * The operation Update Contact. It promises that a contact keeps what an item does not mention,
 * although the interface does not say what becomes of fields that are left out: `omittedFields.ts`
 * finds out, and `restorer.ts` gives back what an update has cost. Items of one contact or address
 * are done in input order, each on what the one before has written.
 */
import type { ContactFieldName } from '../../service/records';
import type { Operation } from '../operation';
import { throwParameterError } from '../../parameters/parameter';
import { readBoolean } from '../../parameters/value';
import { readRequestOptions } from '../requestOptions';
import { runItems } from '../runItems';
import { simplify } from '../../parameters/sharedProperties';
import type { Result } from './apply';
import { hintOfIgnoredColumns } from './fields';
import { properties } from './properties';
import {
	fieldsNotShown,
	hintOfFieldsNotShown,
	countReplacedTags,
	hintOfReplacedTags,
	hintOfResults,
	output,
	type ReplacedTags,
} from './results';
import { backupsIn } from './backups';
import { isSurelyWritten, readUpdate, replacesTags } from './update';
import { UpdateRun } from './updateRun';

/** Update Contact: changes fields of one contact for each item. */
export const updateContact: Operation = {
	properties,

	async execute(context, connection) {
		const results: Result[] = [];
		let isDryRun: boolean | undefined;
		const notShown = new Set<ContactFieldName>();
		let replacedTags: ReplacedTags = { lost: 0, unknown: 0 };
		const { concurrency } = readRequestOptions(context);
		const run = new UpdateRun(
			connection,
			concurrency,
			context.continueOnFail(),
			backupsIn(context),
		);
		const { items, hints } = await runItems(context, connection, {
			prepare(itemIndex) {
				const update = readUpdate(context, itemIndex);
				const isSimplified = readBoolean(context, simplify, itemIndex);
				// What a dry row would leave of a contact is nothing that another row can build on.
				if (update.isDryRun !== (isDryRun ??= update.isDryRun)) {
					const advice = 'Put an If before this node, and a node for each kind of item.';
					throwParameterError(context, itemIndex, 'Dry Run is not the same for all items', advice);
				}
				run.expect(update);
				return { update, isSimplified };
			},

			async perform({ update, isSimplified }) {
				const done = await run.perform(update);
				results.push(done.result);
				if (replacesTags(update)) replacedTags = countReplacedTags(replacedTags, done);
				if (update.isDryRun) fieldsNotShown(done).forEach((name) => notShown.add(name));
				return [output(done, isSimplified)];
			},

			takesRequest: ({ update }) => isSurelyWritten(update),

			noteOnDone: () => (isDryRun ? 'they were compared, and nothing was written' : ''),
		});
		const count = context.getInputData().length;
		const sums = hintOfResults(results, count, isDryRun === true);
		const ignored = hintOfIgnoredColumns(context);
		const ofTags = hintOfReplacedTags(replacedTags, isDryRun === true);
		const told = [
			...sums,
			...ofTags,
			...run.hints(),
			...hintOfFieldsNotShown(notShown),
			...ignored,
		];
		return { items, hints: [...hints, ...told] };
	},
};
