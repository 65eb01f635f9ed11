import fc from 'fast-check';
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

/** How long a counter-example may take to become smaller, in ms. */
const longestShrinking = 60_000;

/** What one process has to play. */
export interface Task {
	seed: number;
	histories: number;
	/** Where fast-check goes on: the path of a counter-example. */
	path?: string;
	/** Count every violation instead of ending at the first. */
	survey: boolean;
}

/** What one process has seen. */
export interface Seen {
	played: number;
	events: Record<string, number>;
	/** Words of the node that are of no known kind. */
	unread: string[];
	violations: Record<string, { times: number; example: string }>;
	counterExample?: { seed: number; path: string; text: string };
}

/** Plays histories in this process. */
export async function playAll(task: Task): Promise<Seen> {
	const service = await Service.start();
	const seen: Seen = { played: 0, events: {}, unread: [], violations: {} };
	const add = (life: Life) => {
		seen.played++;
		for (const [name, times] of life.events) seen.events[name] = (seen.events[name] ?? 0) + times;
		for (const text of life.unread) {
			const general = text.replace(/\d+/g, '#').replace(/n#n-[\w#-]+/g, '…');
			if (!seen.unread.includes(general) && seen.unread.length < 50) seen.unread.push(general);
		}
	};
	let foundAt: number | undefined;
	const property = fc.asyncProperty(history, async (history) => {
		let life: Life | undefined;
		try {
			await play(history, service, (begun) => (life = begun));
		} catch (error) {
			if (!task.survey) throw error;
			const rule =
				error instanceof Violation
					? `${error.rule} (${history.shape})`
					: String((error as Error).stack);
			const example = `${(error as Error).message}\n${await tell(history)}`;
			const known = (seen.violations[rule] ??= { times: 0, example });
			known.times++;
			if (example.length < known.example.length) known.example = example;
		} finally {
			// Those that come after the first counter-example only make it smaller.
			if (life && foundAt === undefined) add(life);
		}
	});
	const tell = async (history: History) => {
		let trace: string[] = [];
		await play(history, service, (life) => (trace = life.trace)).catch(() => undefined);
		return `${storyOf(history)}\n\nWhat happened:\n${trace.join('\n')}`;
	};
	const tryOne = property.run.bind(property);
	property.run = async (value) => {
		const isOver = foundAt !== undefined && performance.now() - foundAt > longestShrinking;
		if (isOver) return null;
		const failure = await tryOne(value);
		if (failure) foundAt ??= performance.now();
		return failure;
	};
	const { seed, path } = task;
	const details = await fc.check(property, { seed, numRuns: task.histories, path });
	if (details.failed) {
		const [smallest] = details.counterexample!;
		seen.counterExample = {
			seed: details.seed,
			path: details.counterexamplePath!,
			text: `${(details.errorInstance as Error).message}\n\n${await tell(smallest)}`,
		};
	}
	await service.stop();
	return seen;
}

if (import.meta.main) {
	process.once('message', async (task: Task) => {
		process.send!(await playAll(task), undefined, undefined, () => process.exit());
	});
}
