import { expect, test } from '@jest/globals';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { bigRuns } from '../support/engine/longRuns.mts';
import { watchEventLoop } from '../support/engine/eventLoop.mts';
import { thinContext } from '../support/engine/bareRun.mts';

/** Long enough for several turns. */
const size = { contacts: 20_000, rows: 4_000 };

test.each(Object.entries(bigRuns))(
	'no step of a big run keeps the event loop: %s',
	async (_, big) => {
		const { context } = thinContext(big(size));
		const { longest, total, result } = await watchEventLoop(
			async () => await new CrmWorkspace().execute.call(context),
		);
		expect(result![0].length).toBeGreaterThanOrEqual(size.rows);
		// A run in one step would be 1; memory that is cleared up in a step takes some of it.
		expect(longest / total).toBeLessThan(0.5);
	},
	60_000,
);
