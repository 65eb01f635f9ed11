import { setImmediate as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { runItems } from '../../nodes/CrmWorkspace/operations/runItems';
import type { HttpClient } from '../../nodes/CrmWorkspace/client/client';
import { thinContext } from '../support/engine/bareRun.mts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('what an item has prepared is held until it is done, and no longer', async () => {
	const prepared: Array<WeakRef<object>> = [];
	const held: number[] = [];
	const { context } = thinContext({
		items: [{}, {}, {}],
		parameter: () => undefined,
		answer: () => Buffer.alloc(0),
	});
	const client = { announce() {}, close() {} } as unknown as HttpClient;
	await runItems(
		{ context, client, concurrency: 1, continuesOnFail: false },
		{
			prepare() {
				const one = {};
				prepared.push(new WeakRef(one));
				return one;
			},
			async perform() {
				await pause();
				collectGarbage();
				held.push(prepared.filter((one) => one.deref()).length);
				return [];
			},
			takesRequest: () => true,
			hints: () => [],
		},
	);
	expect(held).toEqual([3, 2, 1]);
});
