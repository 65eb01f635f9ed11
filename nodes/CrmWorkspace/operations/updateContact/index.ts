/**
 * The operation Update Contact. It promises that a contact keeps what an item doesn't map, although
 * the interface doesn't say what becomes of fields that are left out: `contactWriter.ts` compares each
 * response with what the contact had, and repairs. Items of one contact are done in input order, each
 * on what the one before has written; a run (`updateRun.ts`) takes turns with all others at a contact.
 */
import type { IDataObject } from 'n8n-workflow';
import { pickFields, simplifiedContactFields } from '../../api/records';
import { getNodeStorage } from '../../n8n/execution';
import { simplify } from '../../parameters/properties';
import type { Hint, ItemWork, Operation } from '../operation';
import { Contacts } from './contacts';
import { ContactWriter } from './contactWriter';
import { describeMapping } from './mapping';
import { properties } from './properties';
import { texts } from './texts';
import { comparesFirst, getName, readUpdate, type Update } from './update';
import { UpdateRun, type Result, type UpdateResult } from './updateRun';

interface Prepared {
	update: Update;
	isSimplified: boolean;
}

export const updateContact: Operation = {
	properties,

	begin({ context, client, concurrency }): ItemWork<Prepared> {
		// What updates may have cost contacts, each in a sentence: the next try of Retry On Fail would
		// otherwise hide the error of the one before.
		const losses = getNodeStorage(context, 'lostValues');
		const ofEarlierTries = losses.join(' ');
		const results: Result[] = [];
		const updates: Update[] = [];
		const contacts = new Contacts(client, concurrency);
		const writer = new ContactWriter(client, losses);
		const run = new UpdateRun(client, contacts, writer);
		return {
			prepare(item) {
				const update = readUpdate(item);
				const isSimplified = item.boolean(simplify);
				updates.push(update);
				run.preload(update);
				return { update, isSimplified };
			},

			laneOf: ({ update }) => run.laneOf(update),

			async perform({ prepared: { update, isSimplified } }) {
				const done = await run.perform(update);
				results.push(done.result);
				return buildOutput(done, isSimplified);
			},

			takesRequest: ({ update }) => !comparesFirst(update),

			// The error that ends the run is all that the user sees.
			noteOnStop: (_error, _itemIndex, description) =>
				losses.filter((loss) => !description.includes(loss)).join(' '),

			hints() {
				const count = context.getInputData().length;
				const names = new Set(updates.map(({ reference }) => getName(reference)));
				const isDryRun = updates.some((update) => update.isDryRun);
				const hasOneContact = updates.length > 1 && names.size === 1;
				// n8n may repeat a run with error items, too.
				if (results.length === count) losses.length = 0;
				return [
					...describeResults(results, count, isDryRun),
					...(hasOneContact ? [warning(texts.sameContact)] : []),
					...writer.hints(),
					...(ofEarlierTries ? [warning(ofEarlierTries)] : []),
					...(updates.length > 0 ? describeMapping(context, updates) : []),
				];
			},

			close: () => contacts.close(),
		};
	},
};

const warning = (message: string): Hint => ({ message, type: 'warning' });

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
function describeResults(results: Result[], items: number, isDryRun: boolean): Hint[] {
	if (items < 2) return [];
	const count = (result: Result) => results.filter((one) => one === result).length;
	const written =
		isDryRun && count('updated') === 0
			? texts.wouldBeUpdated(count('wouldUpdate'))
			: texts.updated(count('updated'));
	return [{ message: texts.summary(written, count('unchanged'), items - results.length) }];
}
