import { playAll, type Task } from '../harness/player.mts';
import { doWhatIsSent } from '../harness/task.mts';
import { fakeTime } from './time.mts';

fakeTime();
// After the time is replaced, whoever takes it from the beginning.
const { deletionPace, history, tellsAll } = await import('./history.mts');
const { play } = await import('./play.mts');
const { storyOf, toldBy } = await import('./story.mts');

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
			if (!last) return undefined;
			const { history, played } = last;
			const unread = played.unread.map((hint) => hint.replace(/\d+/g, '#'));
			return { events: eventsOf(history, played), unread };
		},
		// Without what differs from one to the next.
		kindOf: ({ message }) => message.replace(/: c\d.* not in/, ': … not in').replace(/\d+/g, '#'),
		async happening(history) {
			let played: Played | undefined;
			await play(history, (begun) => (played = begun), { isTold: true }).catch(() => {});
			return toldBy(played!);
		},
	}),
);

function eventsOf(history: History, { service, outcome }: Played): Array<[string, number]> {
	const pace = deletionPace(history);
	const deleted = pace && `deleted one by one, every ${String(pace).padStart(3)} requests`;
	const kind = tellsAll(history) ? 'all told' : 'not all told';
	return [
		['requests', service.requests],
		[`order: ${history.order}`, 1],
		[`concurrency ${history.concurrency}`, 1],
		[`pages of ${history.pageSize <= 10 ? '3 to 10' : '11 to 100'}`, 1],
		[`service's clock ahead by ${history.readings.ahead} ms`, 1],
		[`the clock of Date ahead of that of contacts by ${history.readings.dateAhead} ms`, 1],
		[`a page past the end is answered ${history.readings.pastEnd}`, 1],
		[`${service.rate}, ${kind}: ${outcome ?? 'violation'}`, 1],
		...(deleted ? [[`${deleted}: ${outcome ?? 'violation'}`, 1] as [string, number]] : []),
		...service.events,
	];
}
