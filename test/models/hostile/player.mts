import { inspect } from 'node:util';
import { playAll, type Task } from '../harness/player.mts';
import { doWhatIsSent } from '../harness/task.mts';
import { fakeTime } from './time.mts';

process.env.N8N_LOG_LEVEL = 'debug';
fakeTime();
// After the time is replaced, whoever takes it from the beginning; before n8n, who keeps its log.
const { forgetLogged, logged } = await import('../../support/keys/everythingOf.mts');
const { anyCase, storyOf } = await import('./case.mts');
const { judge, longestTurn, Violation } = await import('./judge.mts');
const { Late, play } = await import('./play.mts');
const { Service } = await import('./service.mts');

type Case = import('./case.mts').Case;
type Outcome = import('./play.mts').Outcome;

const service = await Service.start();
let last: { one: Case; outcome?: Outcome; end: string; answers: Map<string, number> } | undefined;
let astray: unknown;
process.on('unhandledRejection', (reason) => (astray = reason));
process.on('uncaughtException', (error) => (astray = error));

doWhatIsSent(async (task: Task) => {
	const seen = await playAll<Case>(task, {
		history: anyCase,
		storyOf,
		async play(one) {
			last = { one, end: 'violation', answers: new Map() };
			let outcome = await playOnce(one);
			// What was slow counts if it is slow again, alone.
			if (outcome.blocked > longestTurn) outcome = await playOnce(one);
			last.outcome = outcome;
			last.answers = service.answers;
			last.end = judge(one, outcome, logged());
		},
		seen: () => last && { events: eventsOf(last), unread: [] },
		kindOf: (error, { kind }) =>
			`${kind}: ${kindOf(error instanceof Violation ? error.message : error.stack!)}`,
		async happening(one) {
			const outcome = await playOnce(one).catch((error: Error) => error);
			return outcome instanceof Error ? String(outcome.stack) : toldBy(outcome);
		},
	});
	await service.stop();
	return seen;
});

async function playOnce(one: Case): Promise<Outcome> {
	forgetLogged();
	astray = undefined;
	const outcome = await play(one, service).catch((error: unknown) => {
		if (error instanceof Late) throw new Violation('it ends', error.message);
		throw error;
	});
	if (astray !== undefined) {
		const { stack } = astray as Error;
		throw new Violation('every error is one of n8n’s', `nobody caught ${stack ?? String(astray)}`);
	}
	return outcome;
}

/** Without what differs from one to the next. */
function kindOf(message: string): string {
	return message
		.replace(/: (?:GET|PUT|POST) [^]*/, '')
		.replace(/\d+/g, '#')
		.replace(/(?:…|characters: )[^]*/, '…')
		.replace(/(\n +at [^\n]*\n)[^]*/, '$1')
		.slice(0, 100);
}

function eventsOf({
	one,
	outcome,
	end,
	answers,
}: NonNullable<typeof last>): Array<[string, number]> {
	const row = one.rows.flatMap(({ overrides }) => overrides);
	return [
		[`${one.kind}: ${end}`, 1],
		[`on error: ${one.onError}`, 1],
		['requests', outcome?.arrived.length ?? 0],
		['parameters with a hostile value', row.length],
		['variables and columns', one.rows.reduce((sum, { named }) => sum + named.length, 0)],
		['hints', outcome?.hints.length ?? 0],
		[`longest turn of the event loop: ${turn(outcome?.blocked ?? 0)}`, 1],
		...[...answers].map(([what, times]): [string, number] => [`answers: ${what}`, times]),
	];
}

function turn(ms: number): string {
	const step = [10, 50, 100, 250, 500, 1_000].find((step) => ms <= step);
	return step ? `up to ${step} ms` : 'more than 1000 ms';
}

function toldBy(outcome: Outcome): string {
	const { thrown, outputs, hints, arrived } = outcome;
	const short = (value: unknown) => inspect(value, { breakLength: Infinity }).slice(0, 600);
	const error = (value: unknown) => {
		const { name, message, description } = value as Error & { description?: string };
		return `${name}: ${short(message)} ${short(description)}`;
	};
	return [
		...arrived.map(
			({ method, target, body }) => `${method} ${target.slice(0, 200)} ${body.slice(0, 300)}`,
		),
		...(thrown === undefined ? [] : [`Thrown: ${error(thrown)}`]),
		...outputs
			.flat()
			.map(({ error: failure, json }) =>
				failure ? `Item: ${error(failure)}` : `Item: ${short(json.error ?? json)}`,
			),
		...hints.map((hint) => `Hint: ${short(hint)}`),
		`Longest turn: ${Math.round(outcome.blocked)} ms`,
	].join('\n');
}
