import { playAll, type Task } from '../harness/player.mts';
import { doWhatIsSent } from '../harness/task.mts';
import { fakeTime } from './time.mts';

fakeTime();
// After the time is replaced, whoever takes it from the beginning.
const { history } = await import('./history.mts');
const { Violation } = await import('./judge.mts');
const { play } = await import('./play.mts');
const { Service } = await import('./service.mts');
const { storyOf } = await import('./story.mts');

type Life = import('./life.mts').Life;
type History = import('./history.mts').History;

doWhatIsSent(async (task: Task) => {
	const service = await Service.start();
	let life: Life | undefined;
	const seen = await playAll<History>(task, {
		history,
		storyOf,
		async play(history) {
			life = undefined;
			await play(history, service, (begun) => (life = begun));
		},
		seen: () =>
			life && {
				events: life.events,
				unread: [...life.unread].map((text) =>
					text.replace(/\d+/g, '#').replace(/n#n-[\w#-]+/g, '…'),
				),
			},
		kindOf: (error, { shape }) =>
			error instanceof Violation ? `${error.rule} (${shape})` : String(error.stack),
		async happening(history) {
			let trace: string[] = [];
			await play(history, service, (life) => (trace = life.trace)).catch(() => undefined);
			return trace.join('\n');
		},
	});
	await service.stop();
	return seen;
});
