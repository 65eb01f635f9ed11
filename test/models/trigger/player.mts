import { playAll, type Task } from '../harness/player.mts';
import { doWhatIsSent } from '../harness/task.mts';
import { fakeTime } from '../lists/time.mts';

fakeTime();
// After the time is replaced, whoever takes it from the beginning.
const { history } = await import('./history.mts');
const { play } = await import('./play.mts');
const { storyOf } = await import('./story.mts');

type History = import('./history.mts').History;
type Played = import('./play.mts').Played;

let last: { history: History; played: Played } | undefined;

doWhatIsSent((task: Task) =>
	playAll<History>(task, {
		history,
		storyOf,
		async play(history) {
			await play(history, (played) => (last = { history, played }));
		},
		seen() {
			return last && { events: eventsOf(last.history, last.played), unread: [] };
		},
		// Without what differs from one to the next.
		kindOf: (error) => kindOf(error),
		async happening(history) {
			let played: Played | undefined;
			await play(history, (begun) => (played = begun)).catch(() => {});
			return played!.trace.join('\n');
		},
	}),
);

/** The rule, and which events it is about. */
function kindOf(error: Error): string {
	const [first] = error.message.split('\n');
	const came = /and (contact\w+|nothing) .*came/.exec(error.message)?.[1] ?? '';
	return `${first.replace(/[\da-f-]{20,}|\d+/g, '#').slice(0, 90)} ${came}`;
}

function eventsOf({ readings, isDurable }: History, { events }: Played): Array<[string, number]> {
	return [
		[`order: ${readings.order}`, 1],
		[`timestamps: ${readings.stamps}`, 1],
		[`timestamps written: ${readings.form}`, 1],
		[isDurable ? 'state stored after each poll' : 'state in memory', 1],
		...events,
	];
}
