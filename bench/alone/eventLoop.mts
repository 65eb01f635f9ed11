import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { bigRuns, type Size } from '../../test/support/engine/longRuns.mts';
import { watchEventLoop } from '../../test/support/engine/eventLoop.mts';
import { thinContext } from '../../test/support/engine/bareRun.mts';
import { build } from '../../tools/build.mts';
import type { Case, Figure } from '../case.mts';

const size: Size = { contacts: 100_000, rows: 20_000 };

/** In ms. */
const longestBlock = 100;

/**
 * How long big runs keep n8n from doing anything else, such as responding to webhooks. Responses come
 * from memory, without n8n around the node.
 */
export const eventLoop: Case = {
	title: 'Blocking the event loop',
	async run({ progress }) {
		await build();
		const figures: Figure[] = [];
		for (const name of Object.keys(bigRuns)) {
			progress(name);
			const { longest, total } = await measure(name);
			const figure = { other: null, bound: null, unit: 'ms' };
			figures.push(
				{
					...{ name: `${name}: longest block`, ours: longest, ...figure },
					atMost: { ours: longestBlock },
				},
				{ name: `${name}: in all`, ours: total, ...figure },
			);
		}
		return { figures };
	},
};

async function measure(name: string) {
	const require = createRequire(import.meta.url);
	const { CrmWorkspace } = require(resolve('dist/nodes/CrmWorkspace/CrmWorkspace.node.js'));
	const node = new CrmWorkspace() as INodeType;
	const { context } = thinContext(bigRuns[name](size));
	return await watchEventLoop(async () => await node.execute!.call(context));
}
