import type { Row } from '../case.mts';
import { allowance, type Outcome, play, type Scenario } from '../simulated/scenario.mts';

const seconds = 1000;

/** All messages of a process at once, once a minute. */
const inBatches = { batchSize: allowance, batchInterval: 61 * seconds };

/** The best that was found for two processes that don't know of each other. */
const oneByOne = { batchSize: 1, batchInterval: 1_017 };

/** Messages under the rate limit, of one n8n process, and of two. */
export async function sends(isQuick: boolean): Promise<Row[]> {
	const items = isQuick ? 100 : 300;
	const common = { work: 'send' as const, items, seed: 1 };
	const alone = await playBoth({ ...common, beginsAt: [0], batch: inBatches });
	const two = await playBoth({ ...common, beginsAt: [0, 20 * seconds], batch: oneByOne });
	const unsent = ({ messages }: Outcome) => 2 * items - messages;
	for (const { messages } of [alone.ours, alone.other]) {
		if (messages !== items) throw new Error(`${messages} of ${items} messages were sent`);
	}
	const least = Math.floor((items - 1) / allowance) * 60;
	return [
		{
			name: `${items} messages`,
			isInReadme: true,
			figures: [
				{ ours: alone.ours.seconds, other: alone.other.seconds, unit: 's', atMost: least + 60 },
			],
		},
		{
			name: `Two n8n processes, unaware of each other, ${items} messages each: never sent`,
			isInReadme: true,
			figures: [{ ours: unsent(two.ours), other: unsent(two.other), unit: 'messages', atMost: 0 }],
		},
	];
}

async function playBoth(scenario: Omit<Scenario, 'contestant'>) {
	return {
		ours: await play({ ...scenario, contestant: 'ours' }),
		other: await play({ ...scenario, contestant: 'other' }),
	};
}
