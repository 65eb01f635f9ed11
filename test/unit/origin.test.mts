import { expect, test } from '@jest/globals';
import { findOriginBeforeToken } from '../../nodes/CrmWorkspace/n8n/execution';

const startTime = 1_795_884_754_277;

/** A run that n8n has read from its database. */
const earlier = { startTime };

/** A run of the retry itself, as n8n before 1.87 notes it. */
const own = { startTime: startTime + 5000, metadata: undefined };

/** A run of an execution that crashed, in seconds. */
const recovered = { startTime: Math.round(startTime / 1000) };

const began = `began ${startTime}`;

test.each([
	['no counter, a run of the origin', undefined, [own, earlier], began],
	['no counter, own runs', undefined, [own], undefined],
	['no counter, no runs', undefined, [], undefined],
	['no counter, a recovered run', undefined, [recovered, own], undefined],
	['a counter, a run of the origin', 2, [own, earlier], began],
	['a counter, own runs', 2, [own], undefined],
	['a counter, a recovered run', 2, [recovered, own], undefined],
])('the origin of a retry without a token: %s', (_what, index, runs, expected) => {
	const context = {
		runExecutionData: { resultData: { runData: { Start: runs } } },
		additionalData: { currentNodeExecutionIndex: index },
	};
	expect(findOriginBeforeToken(context as any)).toBe(expected);
});
