import fc from 'fast-check';

// Time may be a faked one by the time that histories are played.
const realTime = performance.now.bind(performance);

/** How long a counter-example may take to become smaller, in ms. */
const longestShrinking = 60_000;

const mostUnread = 50;

/** What one process has to play. */
export interface Task {
	seed: number;
	histories: number;
	/** Where fast-check goes on: the path of a counter-example. */
	path?: string;
	/** Look for those violations only whose words and story this regular expression matches. */
	only?: string;
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

/** What was seen in one history. */
export interface SeenOnce {
	events: Iterable<[name: string, times: number]>;
	unread: string[];
}

/** What is played, and how it is told. */
export interface Game<History> {
	history: fc.Arbitrary<History>;
	/** Plays a history. @throws what must not be */
	play(history: History): Promise<void>;
	/** What there was to see in the history that was played last, also if it was not right. */
	seen(): SeenOnce | undefined;
	/** The kind of a violation, under which those like it are counted. */
	kindOf(error: Error, history: History): string;
	storyOf(history: History): string;
	/** What happens in a history, line by line. */
	happening(history: History): Promise<string>;
}

/** Plays histories in this process. */
export async function playAll<History>(task: Task, game: Game<History>): Promise<Seen> {
	const seen: Seen = { played: 0, events: {}, unread: [], violations: {} };
	const only = new RegExp(task.only ?? '', 's');
	const tell = async (history: History) =>
		`${game.storyOf(history)}\n\nWhat happened:\n${await game.happening(history)}`;
	let foundAt: number | undefined;
	const property = fc.asyncProperty(game.history, async (history) => {
		try {
			await game.play(history);
		} catch (error) {
			const { message } = error as Error;
			if (!only.test(`${message}\n${game.storyOf(history)}`)) return;
			if (!task.survey) throw error;
			// Telling it plays it again.
			const { violations } = seen;
			const example = `${message}\n${await tell(history)}`;
			const known = (violations[game.kindOf(error as Error, history)] ??= { times: 0, example });
			known.times++;
			if (example.length < known.example.length) known.example = example;
		} finally {
			// Those that come after the first counter-example only make it smaller.
			if (foundAt === undefined) add(seen, game.seen());
		}
	});
	const tryOne = property.run.bind(property);
	property.run = async (value) => {
		const isOver = foundAt !== undefined && realTime() - foundAt > longestShrinking;
		if (isOver) return null;
		const failure = await tryOne(value);
		if (failure) foundAt ??= realTime();
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
	return seen;
}

function add(seen: Seen, once: SeenOnce | undefined): void {
	if (!once) return;
	seen.played++;
	for (const [name, times] of once.events) seen.events[name] = (seen.events[name] ?? 0) + times;
	for (const text of once.unread) {
		if (!seen.unread.includes(text) && seen.unread.length < mostUnread) seen.unread.push(text);
	}
}
