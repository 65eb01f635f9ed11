import type { Operation } from '../operation';
import { readRequestOptions } from '../requestOptions';
import { runItems } from '../runItems';
import type { Result } from './apply';
import { hintOfIgnoredColumns } from './fields';
import { properties } from './properties';
import { hintOfResults, output } from './results';
import { readUpdate } from './update';
import { UpdateRun } from './updateRun';

/** Update Contact: changes fields of one contact for each item. */
export const updateContact: Operation = {
	properties,

	async execute(context) {
		const results: Result[] = [];
		const items = await runItems(context, (connection) => {
			const { concurrency } = readRequestOptions(context);
			const run = new UpdateRun(connection, concurrency, context.continueOnFail());
			return {
				prepare(itemIndex) {
					const update = readUpdate(context, itemIndex);
					run.expect(update);
					return update;
				},

				async perform(update, itemIndex) {
					const done = await run.perform(update);
					results.push(done.result);
					return [output(done, context.getNodeParameter('simplify', itemIndex, true) === true)];
				},
			};
		});
		const isDryRun = context.getNodeParameter('options.dryRun', 0, false) === true;
		const count = context.getInputData().length;
		context.addExecutionHints(
			...hintOfResults(results, count, isDryRun),
			...hintOfIgnoredColumns(context),
		);
		return items;
	},
};
