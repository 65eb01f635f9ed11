import './harness/simulatedTime.mts';
import { test } from '@jest/globals';
import { inspect } from 'node:util';
import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { longestPieceIn } from '../support/keys/keySpellings.mts';
import { check } from './harness/model.mts';
import { credential } from './harness/node.mts';
import { Violation } from './harness/violation.mts';
import { histories, type History } from './hostile/history.mts';
import { play, type Outcome } from './hostile/play.mts';
import { key } from './hostile/values.mts';

/** CPU time that the node may take without letting n8n do anything else, in ms. */
const longestMs = 1_000;

test('whatever the service answers, errors are in words, nothing blocks n8n, and the key stays secret', async () => {
	await check({
		history: histories,
		async play(history) {
			let outcome = await play(history);
			// What was slow counts if it is slow again, when all is compiled.
			if (outcome.blockedMs > longestMs) outcome = await play(history);
			if (outcome.blockedMs > longestMs) {
				throw new Violation('nothing blocks n8n', `${Math.round(outcome.blockedMs)} ms at once`);
			}
			checkError(outcome);
			checkTexts(outcome);
			checkKey(outcome);
			checkItems(history, outcome);
		},
		runs: 700,
		storyOf: (history) => inspect(history, { depth: 9, breakLength: 100, maxStringLength: 300 }),
	});
});

/** Every error is one of n8n's. */
function checkError({ thrown }: Outcome): void {
	if (thrown === undefined) return;
	if (thrown instanceof NodeOperationError || thrown instanceof NodeApiError) return;
	throw new Violation("every error is one of n8n's", inspect(thrown).slice(0, 1_500));
}

/** What Node.js says, and a user can't read. */
const bareWords =
	/Cannot (?:read|set|convert|assign|destructure|mix)|is not (?:a function|iterable|extensible)|Maximum call stack|Unexpected (?:token|end of)|Invalid URL|circular structure|serialize a BigInt|Invalid (?:time value|array length|string length)|ERR_INVALID_URL/;

/** In characters. */
const bounds = { title: 501, description: 2_300, hint: 2_001, item: 2_600 };

/** Every text that the user is shown, by its kind. */
function textsOf({ thrown, outputs, hints }: Outcome): Record<keyof typeof bounds, string[]> {
	const { message = '', description = '' } = (thrown ?? {}) as Record<string, string | undefined>;
	return {
		title: [message],
		description: [description],
		hint: hints.map((hint) => hint.message),
		item: outputs.flat().flatMap((item) => (isError(item) ? String(item.json.error) : [])),
	};
}

function checkTexts(outcome: Outcome): void {
	for (const [kind, texts] of Object.entries(textsOf(outcome))) {
		for (const text of texts) {
			const start = `a ${kind} of ${text.length} characters: ${text.slice(0, 600)}`;
			const isLong = text.length > bounds[kind as keyof typeof bounds];
			if (isLong) throw new Violation('texts have a bound', start);
			if (/<[a-z/!?]/i.test(text)) throw new Violation('texts have no markup', start);
			if (bareWords.test(text)) throw new Violation('errors are in words', start);
		}
	}
}

const isError = ({ json }: INodeExecutionData) => typeof json.error === 'string' && !('id' in json);

const everything = { depth: 99, showHidden: true, maxStringLength: null, maxArrayLength: null };

/** The key is in none of our words, goes to the service alone, and what is the service's stays as it is. */
function checkKey(outcome: Outcome): void {
	const { thrown, outputs, data, urls } = outcome;
	const places: Record<string, string> = {
		'an error': inspect(thrown, everything),
		'what n8n stores of the node': inspect(data.executionData?.contextData, everything),
		'a text': JSON.stringify(textsOf(outcome)),
		'the log': outcome.logged,
	};
	for (const [place, text] of Object.entries(places)) {
		const piece = longestPieceIn(text, key);
		if (piece) throw new Violation('the key is in none of our words', `${piece} in ${place}`);
	}
	const records = JSON.stringify(outputs.flat().filter((item) => !isError(item)));
	if (records.includes('[API key]'))
		throw new Violation('the data is theirs', records.slice(0, 500));
	const isOfService = (url: string) =>
		url.startsWith(`${String(credential.baseUrl)}/`) && new URL(url).href === url;
	const other = urls.find((url) => !isOfService(url));
	if (other) throw new Violation('the key goes to no one else', other.slice(0, 500));
}

/** Each input item comes out once, and a run without anything hostile goes well. */
function checkItems({ run, answers }: History, { thrown, outputs, urls }: Outcome): void {
	const all = outputs.flat();
	const isGood = urls.length > 0 && thrown === undefined && !all.some(isError);
	if (answers.length === 0 && !isGood)
		throw new Violation('no error without a reason', inspect(thrown));
	if (thrown === undefined && run.operation !== 'list' && all.length !== 1)
		throw new Violation('every item once', `${all.length} items`);
}
