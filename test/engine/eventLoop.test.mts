import { expect, test } from '@jest/globals';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { bigRuns } from '../support/engine/longRuns.mts';
import { watchEventLoop } from '../support/engine/eventLoop.mts';
import { thinContext } from '../support/engine/bareRun.mts';

/** Long enough for several turns. */
const size = { contacts: 20_000, rows: 4_000 };

/** The part of its own work that a run may do in one step: with a pause every 20 ms, it is less. */
const most = 0.1;

test.each(Object.entries(bigRuns))(
	'no step of a big run keeps the event loop: %s',
	async (_, big) => {
		let least = 1;
		// Memory may be cleared up in a step: the smallest of some counts.
		for (let tries = 0; least > most && tries < 4; tries++) {
			const { context } = thinContext(big(size));
			const { longest, total, result } = await watchEventLoop(
				async () => await new CrmWorkspace().execute.call(context),
			);
			expect(result![0].length).toBeGreaterThanOrEqual(size.rows);
			least = Math.min(least, longest / total);
		}
		expect(least).toBeLessThanOrEqual(most);
	},
);
