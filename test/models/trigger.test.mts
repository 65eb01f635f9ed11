import './harness/simulatedTime.mts';
import { test } from '@jest/globals';
import { check } from './harness/model.mts';
import { history, type History } from './trigger/history.mts';
import { play } from './trigger/play.mts';

test('a trigger emits each event, with a key that stays the same, and nothing else', async () => {
	await check({ history, play, runs: 100, storyOf });
});

/** A history as one line for its beginning and one for each poll. */
function storyOf({ steps, ...beginning }: History): string {
	return [beginning, ...steps].map((one) => JSON.stringify(one)).join('\n');
}
