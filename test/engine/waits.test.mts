import '../support/engine/throwAwayUserFolder.mts';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { realClock } from '../../nodes/CrmWorkspace/transport/clock';
import { atLength } from '../support/atLength.mts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const stop = new AbortController();

/** Some waits in a row, of many lengths, which a signal made of others would end. */
async function request(number: number): Promise<void> {
	const end = AbortSignal.any([stop.signal, new AbortController().signal]);
	for (let i = 0; i < 4; i++) await realClock.wait((number * 7 + i * 13) % 60, end);
}

atLength(
	'a wait ends whatever garbage is collected in the meantime',
	async () => {
		let ended = 0;
		const requests = 300;
		for (let begun = 0; begun < requests; begun++) void request(begun).then(() => ended++);
		for (let i = 0; i < 12; i++) {
			await pause(10);
			collectGarbage();
		}
		for (let i = 0; i < 50 && ended < requests; i++) await pause(100);
		expect(ended).toBe(requests);
		// A large heap takes its time.
	},
	60_000,
);

test('a wait that is stopped ends, too', async () => {
	const waits = Array.from({ length: 100 }, () =>
		realClock.wait(60_000, AbortSignal.any([stop.signal])),
	);
	await pause(5);
	collectGarbage();
	stop.abort();
	await Promise.all(waits);
});
