import { inspect } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import { longestPieceIn } from '../../support/keys/keySpellings.mts';
import { collections } from '../../support/sandbox/collections.mts';
import { contactFields } from '../harness/contacts.mts';
import { NodeApiError, NodeOperationError } from '../harness/n8n.mts';
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
	for (const asked of outcome.asked) checkRequest(history, asked);
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

/** Every text that the user is shown, by its kind. */
function textsOf({ thrown, items, hints, tested }: Outcome): Array<[keyof typeof bounds, string]> {
	const { message = '', description } = (thrown ?? {}) as {
		message?: string;
		description?: string;
	};
	return [
		['title', message],
		['description', description ?? ''],
		['message of a test', tested ?? ''],
		...hints.map((one): ['hint', string] => ['hint', one]),
		...items
			.filter(isError)
			.map(({ json }): ['error item', string] => ['error item', String(json.error)]),
	];
}

/** In characters. */
const bounds = {
	title: 501,
	description: 2_300,
	'message of a test': 2_600,
	hint: 2_001,
	'error item': 2_600,
};

function checkTexts(outcome: Outcome): void {
	if (outcome.hints.length > 20) {
		throw new Violation('texts have a bound', `${outcome.hints.length} hints`);
	}
	for (const [kind, text] of textsOf(outcome)) {
		const start = `a ${kind} of ${text.length} characters: ${text.slice(0, 600)}`;
		if (text.length > bounds[kind]) throw new Violation('texts have a bound', start);
		if (/<[a-z/!?]/i.test(text)) throw new Violation('texts have no markup', start);
		if (bareWords.test(text)) {
			throw new Violation('errors are in words', `${start}\n${inspect(outcome.thrown)}`);
		}
	}
}

const isError = ({ json }: { json: IDataObject }) =>
	typeof json.error === 'string' && !('id' in json);

const everything = {
	depth: Infinity,
	showHidden: true,
	maxStringLength: Infinity,
	maxArrayLength: Infinity,
};

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

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const lists = Object.values(collections).map(({ path }) => `GET ${path}`);
const known = new RegExp(
	`^(?:POST /transactional/send|PUT /contacts/${uuid}|${lists.join('|')})$`,
	'i',
);

const messageFields = [
	'to',
	'templateSlug',
	'html',
	'subject',
	'text',
	'variables',
	'replyTo',
	'fromName',
	'channelId',
	'idempotencyKey',
	'contactId',
];

/** Every request is one of the interface, to the service. Interface: HTTP-2, SEND-1, SEND-2, UPDATE-3. */
function checkRequest({ credential, answers }: History, { method, url, body }: Asked): void {
	const fail = (why: string) => {
		throw new Violation('every request is of the interface', `${why}: ${method} ${url} ${body}`);
	};
	const isOwnAddress = credential?.at !== 'baseUrl';
	const [before, path] = url.split('/api/v1', 2);
	// The service can give its contacts any ID.
	const isOfService = answers.length > 0 && method === 'PUT' && /^\/contacts\/[^/?#]+$/.test(path);
	if (isOwnAddress && `${before}/api/v1` !== baseUrl) fail('another service');
	if (isOwnAddress && !known.test(`${method} ${path}`) && !isOfService) fail('another path');
	if (!body) return;
	const sent = JSON.parse(body) as IDataObject;
	const fields: readonly string[] = method === 'POST' ? messageFields : contactFields;
	const other = Object.keys(sent).find((name) => !fields.includes(name));
	if (other !== undefined) fail(`another field, ${other}`);
	for (const name of ['to', 'replyTo']) {
		if (!(name in sent)) continue;
		const isOne = /^[^\s\p{Cc}\p{Cf},;<>@()[\]]+@[^\s\p{Cc}\p{Cf},;<>@()[\]]+$/u;
		if (!isOne.test(String(sent[name]))) fail(`${name} isn't one address`);
	}
	for (const name of ['subject', 'fromName']) {
		if (/[\0\r\n\u2028\u2029\u0085]/.test(String(sent[name]))) fail(`${name} has lines`);
	}
}

/** Each input item comes out once, and what counts as sent or updated was. */
function checkItems({ kind, items: count }: History, { thrown, items, asked }: Outcome): void {
	if (thrown !== undefined) return;
	if (kind === 'sendTransactionalEmail' || kind === 'updateContact') {
		const numbers = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		const isEach = numbers.length === count && new Set(numbers).size === count;
		if (!isEach) throw new Violation('every item once', numbers.join());
	}
	for (const [result, method] of Object.entries({ sent: 'POST', updated: 'PUT' })) {
		const done = items.filter(({ json }) => json._result === result && !isError({ json })).length;
		if (done > asked.filter((one) => one.method === method).length) {
			throw new Violation('what is reported was done', `${done} ${result}`);
		}
	}
}
