/** The thread in which `play` plays a run: sends back the outcome. */
import { parentPort, workerData } from 'node:worker_threads';
import { currentTime, fakeTime, passUntilDone } from '../../test/models/harness/clock.mts';
import { randomFrom } from '../../sandbox/random.mts';
import type { Outcome, Run } from './play.mts';

fakeTime();
// n8n takes its clocks when it's loaded.
const { execute } = await import('./n8n.mts');
const { Service } = await import('./service.mts');

const { node, items } = workerData as Run;
const service = new Service(items.length);
Math.random = randomFrom(1);
const begun = currentTime();
await passUntilDone(execute(node, items, service));
const seconds = (currentTime() - begun) / 1000;
const outcome: Outcome = { seconds, requests: service.requests, written: service.written.size };
parentPort!.postMessage(outcome);
