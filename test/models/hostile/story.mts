import { inspect } from 'node:util';
import { baseUrls, type History } from './history.mts';
import type { Outcome } from './play.mts';

/** A case as a text to read: what is as it usually is is left out. */
export function storyOf(one: History): string {
	const { kind, credential, onError, choices, rows, answers, request } = one;
	const isSame = answers.length === 8 && answers.every((answer) => answer === answers[0]);
	const told = {
		kind,
		credential: unusual(credential, usualCredential),
		onError,
		...(kind === 'send' || kind === 'update' || kind === 'list' ? { choices } : {}),
		rows,
		answers: (isSame ? answers.slice(0, 1) : answers).map((answer) => unusual(answer, usualAnswer)),
		...(isSame ? { times: 8 } : {}),
		...(kind === 'authenticate' ? { request } : {}),
	};
	return JSON.stringify(told, undefined, 1).replace(/\n\s+/g, ' ');
}

const usualCredential = {
	baseUrl: baseUrls[0],
	mode: 'test',
	prefix: 'sk_test_',
	suffix: '',
	authHeader: 'authorization',
	requestsPerMinute: 100_000,
};

const usualAnswer = {
	reason: { text: 'OK' },
	headers: [],
	contentType: 'application/json',
	delivery: 'whole',
};

function unusual(given: object, usual: Record<string, unknown>): object {
	const isUnusual = ([name, value]: [string, unknown]) =>
		JSON.stringify(value) !== JSON.stringify(usual[name]);
	return Object.fromEntries(Object.entries(given).filter(isUnusual));
}

/** What came of a case, line by line. */
export function toldBy(outcome: Outcome): string[] {
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
	];
}
