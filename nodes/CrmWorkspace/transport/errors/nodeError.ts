import { NodeApiError, type INode, type NodeExecutionHint } from 'n8n-workflow';
import { plainText, shortened } from '../../text/plainText';
import { duration } from '../../text/duration';
import { withoutKeyIn, type WithoutKey } from '../credential/withoutKey';
import { explain } from './explain';
import type { FailureDetails, RequestFailure } from './failure';

const maxCharacters = { message: 1000, description: 2000, hint: 2000, stack: 10_000 } as const;

/**
 * The n8n error for a request that failed: what happened, what is not known, what to do where it is
 * known for this very request, what the service says, how often and how long it was tried, and
 * otherwise what may help.
 */
export function toNodeApiError(
	node: INode,
	{ details }: RequestFailure,
	itemIndex?: number,
): NodeApiError {
	const { statusCode, code, doubt, explanation } = details;
	const { message, advice } = explanation ?? explain(details);
	const said = [serviceWords(details), effortWords(details)];
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: [doubt, ...(explanation ? [advice, ...said] : [...said, advice])]
				.filter(Boolean)
				.join(' '),
			httpCode: statusCode?.toString(),
			itemIndex,
		},
	);
	error.context.data = { statusCode, code, message: details.message };
	// n8n replaces a message in which it finds a network code, even within a name.
	return Object.assign(error, { message, messages: [] });
}

/** What an error says: what happened, and what to do next. */
interface Words {
	message: string;
	description?: string | null;
}

function inPlainText({ message, description }: Words, withoutKey: WithoutKey): Words {
	const inShort = (text: string, most: number) => shortened(plainText(withoutKey(text)), most);
	return {
		message: inShort(message, maxCharacters.message),
		description: description && inShort(description, maxCharacters.description),
	};
}

/** All that an error says, as one plain text without the key. */
export function inOneText(words: Words, withoutKey: WithoutKey): string {
	const { message, description } = inPlainText(words, withoutKey);
	return description ? `${message}. ${description}` : message;
}

/** Hints as they leave the node: plain text without the key. */
export function plainHints(
	hints: NodeExecutionHint[],
	withoutKey: WithoutKey,
): NodeExecutionHint[] {
	return hints.map(({ message, ...hint }) => ({
		...hint,
		message: shortened(plainText(withoutKey(message)), maxCharacters.hint),
	}));
}

/**
 * An error as it leaves the node: itself, its words as plain text, and the key in nothing that n8n
 * stores of it or of what caused it.
 */
export function plainError(error: unknown, withoutKey: WithoutKey): unknown {
	if (!(error instanceof Error)) return error;
	for (const one of withCauses(error)) {
		for (const name of Object.getOwnPropertyNames(one)) {
			const value: unknown = Reflect.get(one, name);
			// The node is n8n's own object, which the workflow goes on with.
			if (name === 'node' || value instanceof Error) continue;
			Reflect.set(one, name, storable(value, withoutKey));
		}
		if (one.stack) one.stack = shortened(one.stack, maxCharacters.stack);
	}
	const { description } = error as { description?: string };
	return Object.assign(error, inPlainText({ message: error.message, description }, withoutKey));
}

/** An error and all that it holds, such as what caused it. */
function withCauses(error: Error, all = new Set<Error>()): Set<Error> {
	if (all.has(error)) return all;
	all.add(error);
	for (const name of Object.getOwnPropertyNames(error)) {
		const value: unknown = Reflect.get(error, name);
		if (value instanceof Error) withCauses(value, all);
	}
	return all;
}

/** A value without the key: itself where it does not hold the key; undefined if it is no JSON. */
function storable(value: unknown, withoutKey: WithoutKey): unknown {
	if (typeof value !== 'object') return withoutKeyIn(value, withoutKey);
	try {
		const json = JSON.stringify(value);
		const clean = withoutKeyIn(JSON.parse(json), withoutKey);
		return JSON.stringify(clean) === json ? value : clean;
	} catch {
		return undefined;
	}
}

function serviceWords({ kind, code, message, statusCode }: FailureDetails): string {
	const words = [...new Set([code, message])].filter(Boolean).join(': ');
	if (words !== '') return `The service says: ${words}${/[.!?…”]$/.test(words) ? '' : '.'}`;
	return kind === 'status' ? `The service gave no reason (HTTP ${statusCode}).` : '';
}

type Efforts = Pick<
	FailureDetails,
	'attempts' | 'sinceFirstFailure' | 'isAskedWaitTooLong' | 'askedWait'
>;

function effortWords({
	attempts,
	sinceFirstFailure,
	isAskedWaitTooLong,
	askedWait = 0,
}: Efforts): string {
	const attemptWords =
		attempts <= 1 ? '' : `Tried ${attempts} times over ${duration(sinceFirstFailure)}. `;
	return isAskedWaitTooLong
		? `${attemptWords}It asks to wait ${duration(askedWait)}.`
		: attemptWords.trim();
}
