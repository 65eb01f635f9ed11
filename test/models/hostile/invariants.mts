import { inspect } from 'node:util';
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { longestPieceIn } from '../../support/keys/keySpellings.mts';
import { Violation } from '../harness/violation.mts';
import { baseUrl, type History } from './history.mts';
import type { Outcome } from './play.mts';
import type { Asked } from './service.mts';
import { key } from './values.mts';

/** Holds what came of a history against what must hold whatever comes in. @throws Violation */
export function check(history: History, outcome: Outcome): void {
	checkErrors(history, outcome);
	checkTexts(outcome);
	checkKey(outcome);
	checkItems(history, outcome);
	for (const asked of outcome.asked) checkAddress(history, asked);
	if (outcome.asked.length > 200)
		throw new Violation('it ends', `${outcome.asked.length} requests`);
	const { polluted } = {} as { polluted?: unknown };
	if (polluted !== undefined) throw new Violation('every object is as it was', inspect(polluted));
}

/** Every error is one of n8n's, and says which item it is of. */
function checkErrors({ items, kind }: History, { thrown }: Outcome): void {
	if (thrown === undefined) return;
	if (!(thrown instanceof NodeOperationError) && !(thrown instanceof NodeApiError)) {
		throw new Violation("every error is one of n8n's", inspect(thrown).slice(0, 1_500));
	}
	const { itemIndex } = thrown.context;
	if (itemIndex !== undefined && !(Number(itemIndex) < items)) {
		throw new Violation('an error names its item', `${kind}: ${String(itemIndex)} of ${items}`);
	}
}

/** What Node.js says, and a user can't read. */
const bareWords =
	/Cannot (?:read|set|convert|assign|destructure|mix)|is not (?:a function|iterable|extensible)|Maximum call stack|Unexpected (?:token|end of)|Invalid URL|circular structure|serialize a BigInt|Invalid (?:time value|array length|string length)|ERR_INVALID_URL/;

/** In characters. */
const bounds = { title: 501, description: 2_300, test: 2_600, hint: 2_001, item: 2_600 };

/** Every text that the user is shown, by its kind. */
function textsOf({ thrown, items, hints, tested = '' }: Outcome) {
	const { message = '', description = '' } = (thrown ?? {}) as Record<string, string | undefined>;
	const ofItems = items.filter(isError).map(({ json }) => String(json.error));
	return {
		title: [message],
		description: [description],
		test: [tested],
		hint: hints,
		item: ofItems,
	};
}

function checkTexts(outcome: Outcome): void {
	if (outcome.hints.length > 20) {
		throw new Violation('texts have a bound', `${outcome.hints.length} hints`);
	}
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

const isError = ({ json }: { json: IDataObject }) =>
	typeof json.error === 'string' && !('id' in json);

const everything = { depth: 99, showHidden: true, maxStringLength: null, maxArrayLength: null };

/** The key is in none of our words, and what is the service's comes out as it is. */
function checkKey(outcome: Outcome): void {
	const { thrown, stored, items, logged } = outcome;
	const places: Record<string, string> = {
		'an error': inspect(thrown, everything),
		'what n8n stores': inspect(stored, everything),
		'a text': JSON.stringify(textsOf(outcome)),
		'the log': logged,
	};
	for (const [place, text] of Object.entries(places)) {
		const piece = longestPieceIn(text, key);
		if (piece) throw new Violation('the key is in none of our words', `${piece} in ${place}`);
	}
	const records = JSON.stringify(items.filter((item) => !isError(item)).map(({ json }) => json));
	if (records.includes('[API key]'))
		throw new Violation('the data is theirs', records.slice(0, 500));
}

/** Every request, and so the key, goes to the service. */
function checkAddress({ credential }: History, { url }: Asked): void {
	const isOfService = url.startsWith(`${baseUrl}/`) && new URL(url).href === url;
	if (isOfService || credential?.at === 'baseUrl') return;
	throw new Violation('the key goes to no one else', url.slice(0, 500));
}

/** Each input item comes out once. */
function checkItems({ kind, items: count }: History, { thrown, items }: Outcome): void {
	const isEach = kind === 'sendTransactionalEmail' || kind === 'updateContact';
	if (thrown !== undefined || !isEach) return;
	const numbers = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
	if (numbers.length === count && new Set(numbers).size === count) return;
	throw new Violation('every item once', `${numbers.join()} of ${count}`);
}
