import fc from 'fast-check';
import { realTime } from './clock.mts';
import { Log } from './log.mts';
import { doWhatIsSent } from './task.mts';
import { Violation } from './violation.mts';

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

/** What is played, and how it is shown. */
export interface Model<History> {
	history: fc.Arbitrary<History>;
	/** Plays a history. @throws what must not be */
	play(history: History, log: Log): Promise<void>;
	/** A history as a short story. */
	storyOf(history: History): string;
	/** Called when all is played. */
	end?(): Promise<void>;
}

/** Plays what this process is sent. */
export function playWhatIsSent<History>(model: Model<History>): void {
	doWhatIsSent(async (task: Task) => {
		const seen = await playAll(task, model);
		await model.end?.();
		return seen;
	});
}

async function playAll<History>(task: Task, model: Model<History>): Promise<Seen> {
	const seen: Seen = { played: 0, events: {}, unread: [], violations: {} };
	const only = new RegExp(task.only ?? '', 's');
	let foundAt: number | undefined;
	const property = fc.asyncProperty(model.history, async (history) => {
		const log = new Log();
		try {
			await model.play(history, log);
		} catch (error) {
			const words = wordsOf(error);
			if (!only.test(`${words}\n${model.storyOf(history)}`)) return;
			if (!task.survey) throw error;
			const { violations } = seen;
			const example = `${words}\n${await told(history, model)}`;
			const known = (violations[kindOf(words)] ??= { times: 0, example });
			known.times++;
			if (example.length < known.example.length) known.example = example;
		} finally {
			// Those that come after the first counter-example only make it smaller.
			if (foundAt === undefined) add(seen, log);
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
			text: `${wordsOf(details.errorInstance)}\n\n${await told(smallest, model)}`,
		};
	}
	return seen;
}

/** The story of a history, and what happens when it is played again. */
async function told<History>(history: History, model: Model<History>): Promise<string> {
	const log = new Log(true);
	await model.play(history, log).catch(() => undefined);
	return `${model.storyOf(history)}\n\nWhat happened:\n${log.lines.join('\n')}`;
}

/** What is no violation is a mistake of the model, or of what it plays. */
function wordsOf(error: unknown): string {
	return error instanceof Violation ? error.message : String((error as Error).stack);
}

/** The kind of a violation, without what differs from one to the next. */
function kindOf(words: string): string {
	return words
		.split('\n', 1)[0]
		.replace(/\S+@\S+/g, '@')
		.replace(/[\da-f-]{20,}|\d+/g, '#')
		.replace(/(?:c#(?: |–|, )?)+/g, 'c# ')
		.slice(0, 120);
}

function add(seen: Seen, { events, unread }: Log): void {
	seen.played++;
	for (const [name, times] of events) seen.events[name] = (seen.events[name] ?? 0) + times;
	for (const words of unread) {
		const text = words.replace(/\d+/g, '#').replace(/n#n-[\w#-]+/g, '…');
		if (!seen.unread.includes(text) && seen.unread.length < mostUnread) seen.unread.push(text);
	}
}
