import { isDeepStrictEqual, inspect } from 'node:util';
import { contactFields } from '../harness/contacts.mts';
import { ApplicationError, BaseError } from '../harness/n8n.mts';
import { Violation as Broken } from '../harness/violation.mts';
import { collections } from '../../support/sandbox/collections.mts';
import { address, baseUrls, idOf, type History } from './history.mts';
import { findKey } from './keys.mts';
import type { Outcome } from './play.mts';
import type { Arrived } from './service.mts';

/** What has to hold. */
export type Rule =
	| 'every error is one of n8n’s'
	| 'errors are in words'
	| 'the key is in none of our words'
	| 'the data is theirs'
	| 'the key goes to no one else'
	| 'every text has its bound'
	| 'foreign text stays text'
	| 'nothing blocks n8n'
	| 'one recipient'
	| 'what arrives is what was meant'
	| 'what is reported as sent has arrived'
	| 'every request is of the interface'
	| 'own names only'
	| 'every item once'
	| 'it ends'
	| 'nothing is left behind';

/** Something that must not be. */
export class Violation extends Broken<Rule> {}

/** The most that a text may have, in characters. */
export const bounds = { hint: 1_000, message: 1_000, description: 4_000, 'credential test': 4_000 };

/** CPU time of one turn of the event loop, in ms. */
export const longestTurn = 1_000;

/** Says whether what came of a case is right, from nothing but what was given and what arrived. */
export function judge(one: History, outcome: Outcome, log: string): string {
	checkLeftovers();
	checkErrors(one, outcome);
	checkKey(one, outcome, log);
	checkTexts(one, outcome);
	checkRequests(one, outcome);
	if (one.kind === 'authenticate') checkAuthenticate(one, outcome);
	if (one.kind === 'send') checkMessages(one, outcome);
	if (one.kind === 'update') checkUpdates(one, outcome);
	checkItems(one, outcome);
	checkNames(one, outcome);
	if (outcome.blocked > longestTurn) {
		throw new Violation('nothing blocks n8n', `${Math.round(outcome.blocked)} ms at once`);
	}
	return outcomeOf(outcome);
}

function outcomeOf({ thrown, outputs }: Outcome): string {
	if (thrown) return 'refused';
	return outputs.flat().some((item) => item.error ?? item.json.error)
		? 'some items refused'
		: 'done';
}

const names = Object.getOwnPropertyNames(Object.prototype).length;

function checkLeftovers(): void {
	const polluted = ({} as Record<string, unknown>).polluted;
	if (polluted !== undefined || Object.getOwnPropertyNames(Object.prototype).length !== names) {
		throw new Violation('nothing is left behind', 'Object.prototype has another property');
	}
}

/** The errors that were thrown or given to items. */
function errorsOf({ thrown, outputs }: Outcome): unknown[] {
	const ofItems = outputs.flat().flatMap(({ error }) => (error ? [error as unknown] : []));
	return thrown === undefined ? ofItems : [thrown, ...ofItems];
}

function checkErrors(one: History, outcome: Outcome): void {
	for (const error of errorsOf(outcome)) {
		if (!(error instanceof BaseError) && !(error instanceof ApplicationError)) {
			throw new Violation('every error is one of n8n’s', inspect(error).slice(0, 1_500));
		}
	}
	const frames = errorsOf(outcome)
		.map((error) => framesOf(error))
		.join('\n');
	for (const { text } of saidBy(one, outcome)) {
		if (!bareWords.test(text)) continue;
		throw new Violation('errors are in words', `${text.slice(0, 600)}\n${frames}`);
	}
}

/** Where an error and its causes come from. */
function framesOf(error: unknown): string {
	if (!(error instanceof Error)) return '';
	const frames = error.stack?.split('\n').filter((line) => /^ +at /.test(line)) ?? [];
	return [...frames.slice(0, 4), framesOf(error.cause)].filter(Boolean).join('\n');
}

/** What Node.js says, and a user cannot read. */
const bareWords =
	/Cannot (?:read|set|convert|assign|destructure|mix)|is not (?:a function|iterable|extensible)|Maximum call stack|Unexpected (?:token|end of)|Invalid URL|circular structure|serialize a BigInt|Invalid (?:time value|array length|string length)|out of range|\[object \w+\]|ERR_INVALID_URL|Invalid character in header/;

interface Said {
	kind: keyof typeof bounds;
	text: string;
}

/** Every text that the user is shown. */
function saidBy(one: History, outcome: Outcome): Said[] {
	const said: Said[] = outcome.hints.map((text) => ({ kind: 'hint', text }));
	for (const error of errorsOf(outcome) as Array<Record<string, unknown>>) {
		said.push({ kind: 'message', text: String(error.message ?? '') });
		said.push({ kind: 'description', text: String(error.description ?? '') });
		for (const text of (error.messages as unknown[]) ?? []) {
			said.push({ kind: 'description', text: String(text) });
		}
	}
	const { result } = outcome;
	if (isObject(result) && typeof result.message === 'string') {
		said.push({ kind: 'credential test', text: result.message });
	}
	for (const { json } of outcome.outputs.flat()) {
		// A record may have a field of that name, which comes out as it is.
		const isErrorItem = typeof json.error === 'string' && !answersWithErrorField(one);
		if (isErrorItem) said.push({ kind: 'description', text: String(json.error) });
	}
	return said;
}

/** Where the service changes its records. */
function changesIn({ answers }: History) {
	return answers.flatMap(({ body }) => (body?.shape === 'right' ? body.changes : []));
}

function answersWithErrorField(one: History): boolean {
	return changesIn(one).some(({ at }) => at.endsWith('.error'));
}

function checkTexts(one: History, outcome: Outcome): void {
	for (const { kind, text } of saidBy(one, outcome)) {
		if (text.length > bounds[kind]) {
			throw new Violation(
				'every text has its bound',
				`a ${kind} of ${text.length} characters: ${text.slice(0, 300)}…`,
			);
		}
		const markup = /.{0,200}<[a-z/!?].{0,60}/is.exec(text);
		if (markup) {
			throw new Violation('foreign text stays text', `a ${kind}: …${markup[0]}…`);
		}
	}
	if (outcome.hints.length > 20) {
		throw new Violation('every text has its bound', `${outcome.hints.length} hints`);
	}
}

function checkKey(one: History, outcome: Outcome, log: string): void {
	const { key, result, outputs, data, strayed } = outcome;
	const places: Array<[string, () => string]> = [
		['the log', () => log],
		[
			'what is said',
			() =>
				saidBy(one, outcome)
					.map(({ text }) => text)
					.join('\n'),
		],
		['an error', () => hidden(errorsOf(outcome))],
		['what the execution remembers', () => hidden(data?.executionData?.contextData)],
		['the result of the test', () => (one.kind === 'credential test' ? hidden(result) : '')],
	];
	for (const [where, text] of places) {
		const found = findKey(key, text());
		if (found) throw new Violation('the key is in none of our words', `in ${where}, ${found}`);
	}
	for (const { json, error } of outputs.flat()) {
		const isErrorItem = error !== undefined || typeof json.error === 'string';
		const { error: _said, ...theirs } = json;
		const text = hidden(isErrorItem ? theirs : json);
		if (text.includes('[API key]')) throw new Violation('the data is theirs', text.slice(0, 500));
	}
	const [stray] = strayed;
	if (stray !== undefined) {
		const what = findKey(key, stray) ? 'with the key' : 'without the key';
		throw new Violation('the key goes to no one else', `a request ${what}: ${stray.slice(0, 300)}`);
	}
}

/** Every text that can be reached from a value, hidden properties included. */
function hidden(value: unknown): string {
	const texts: string[] = [];
	const seen = new Set<unknown>();
	const open: unknown[] = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next === 'string') texts.push(next);
		if ((typeof next !== 'object' && typeof next !== 'function') || next === null) continue;
		if (seen.has(next)) continue;
		seen.add(next);
		if (ArrayBuffer.isView(next)) {
			texts.push(Buffer.from(next.buffer, next.byteOffset, next.byteLength).toString('latin1'));
			continue;
		}
		if (next instanceof Map) open.push(...next.keys(), ...next.values());
		if (next instanceof Set) open.push(...next);
		for (const name of Reflect.ownKeys(next)) {
			if (typeof name === 'string') texts.push(name);
			// What a getter would give is made when it is asked, from what is found anyway.
			const property = Object.getOwnPropertyDescriptor(next, name);
			if (property && 'value' in property) open.push(property.value);
		}
	}
	return texts.join('\n');
}

const paths: Array<[method: string, path: RegExp]> = [
	['POST', /\/transactional\/send$/],
	['PUT', /\/contacts\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
	...Object.values(collections).map(({ path }): [string, RegExp] => [
		'GET',
		new RegExp(`${path}$`),
	]),
];

const bodyFields = [
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

/** Whether the service gives contacts other IDs than those of the interface. */
function namesContacts(one: History): boolean {
	return changesIn(one).some(({ at }) => at.endsWith('.id'));
}

/** Every request is of the interface. Interface: HTTP-2, HTTP-5, SEND-1, UPDATE-1, UPDATE-3, OPEN-1. */
function checkRequests(one: History, { arrived, key }: Outcome): void {
	if (arrived.length > 200) throw new Violation('it ends', `${arrived.length} requests`);
	for (const request of arrived) {
		const fail = (why: string) => {
			throw new Violation(
				'every request is of the interface',
				`${why}: ${request.head.slice(0, 600)}`,
			);
		};
		const path = request.target.split('?', 1)[0];
		const isKnown =
			paths.some(([method, known]) => request.method === method && known.test(path)) ||
			(namesContacts(one) && request.method === 'PUT' && /\/contacts\/[^/]+$/.test(path));
		if (!isKnown) fail('another path');
		const isUsual = one.credential.baseUrl === baseUrls[0];
		if (
			isUsual &&
			!namesContacts(one) &&
			!paths.some(([, known]) => path.replace(known, '') === '/api/v1')
		) {
			fail('another path');
		}
		if (/^x-injected:|^bcc:/im.test(request.head)) fail('a header of someone’s');
		const named = /^(?:authorization: bearer|x-api-key:) (.*)$/im.exec(request.head)?.[1];
		if (named !== key.replace(/[\p{Cc}\p{Cf}\s]/gu, '')) fail('another key');
		const query = new URLSearchParams(request.target.slice(path.length));
		for (const [name, most] of Object.entries({ page: Infinity, limit: 1_000_000 })) {
			const number = query.get(name);
			if (number === null) continue;
			if (!/^[1-9]\d*$/.test(number) || Number(number) > most) fail(`${name} is ${number}`);
		}
		if (request.method === 'GET') continue;
		const body = bodyOf(request);
		if (!isObject(body) || Array.isArray(body)) return fail('a body that is no object');
		const known: readonly string[] = request.method === 'POST' ? bodyFields : contactFields;
		const other = Object.keys(body).find((name) => !known.includes(name));
		if (other !== undefined) fail(`another field, ${other.slice(0, 100)}`);
	}
}

/** Signs that no header or address may have. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Every message has one recipient, and is as it was meant. Interface: SEND-2, SEND-6. */
function checkMessages(one: History, outcome: Outcome): void {
	const posts = outcome.arrived.filter(({ method }) => method === 'POST');
	for (const post of posts) {
		const body = bodyOf(post) as Record<string, unknown>;
		for (const field of ['to', 'replyTo']) {
			if (field !== 'to' && body[field] === undefined) continue;
			const isOne =
				typeof body[field] === 'string' && /^[^\s,;<>@()[\]]+@[^\s,;<>@()[\]]+$/.test(body[field]);
			if (!isOne || unseen.test(String(body[field]))) {
				throw new Violation('one recipient', `${field} is ${inspect(body[field]).slice(0, 300)}`);
			}
		}
		for (const field of ['subject', 'fromName', 'templateSlug', 'channelId', 'contactId']) {
			const value = body[field];
			if (value === undefined) continue;
			const isForHead = field === 'subject' || field === 'fromName';
			if (typeof value !== 'string' || (isForHead && /[\0\r\n\u2028\u2029\u0085]/.test(value))) {
				throw new Violation(
					'what arrives is what was meant',
					`${field} is ${inspect(value).slice(0, 300)}`,
				);
			}
		}
		const index = rowOf(one, outcome, body);
		if (index !== undefined) checkMessage(one, outcome.given[index], body);
	}
	for (const [index, isSent] of sentRows(one, outcome).entries()) {
		const arrived = posts.some((post) => rowOf(one, outcome, bodyOf(post)) === index);
		const isKnown = one.rows.length === 1 || outcome.given[index].to === address(index);
		if (isSent && isKnown && !arrived) {
			throw new Violation('what is reported as sent has arrived', `row ${index + 1}`);
		}
	}
}

/** Which of the rows a message is about, if that can be shown. */
function rowOf(one: History, { given }: Outcome, body: unknown): number | undefined {
	if (one.rows.length === 1) return 0;
	const { to } = body as { to?: unknown };
	const index = given.findIndex((row, index) => row.to === address(index) && row.to === to);
	return index === -1 ? undefined : index;
}

/** Whether each row was handed on as done. */
function sentRows(one: History, { outputs, thrown }: Outcome): boolean[] {
	const sent = one.rows.map(() => false);
	if (thrown) return sent;
	for (const item of outputs[0] ?? []) {
		const paired = item.pairedItem;
		const index = isObject(paired) ? (paired.item as number) : undefined;
		// What n8n hands through is the input itself.
		const isInput = isObject(item.json) && 'p' in item.json;
		if (index !== undefined && !item.error && item.json.error === undefined && !isInput) {
			sent[index] = true;
		}
	}
	return sent;
}

function checkMessage(
	one: History,
	given: Record<string, unknown>,
	body: Record<string, unknown>,
): void {
	const fail = (what: string, meant: unknown, came: unknown) => {
		throw new Violation(
			'what arrives is what was meant',
			`${what} was ${inspect(meant).slice(0, 300)} and arrived as ${inspect(came).slice(0, 300)}`,
		);
	};
	const isAs = (what: string, meant: unknown, came: unknown) => {
		if (came !== undefined && !cameAs(meant, came)) fail(what, meant, came);
		if (typeof meant === 'string' && meant.trim() !== '' && came === undefined) {
			fail(what, meant, came);
		}
	};
	const isPlain = (field: string) => !(field in given);
	if (isPlain('additionalFields')) {
		for (const field of ['fromName', 'text']) {
			const at = `additionalFields.${field}`;
			if (at in given) isAs(field, given[at], body[field]);
		}
	}
	if (isPlain('content')) {
		if (one.choices.content === 'html') {
			if ('html' in given) isAs('html', given.html, body.html);
			if ('subject' in given) isAs('subject', given.subject, body.subject);
		} else if (body.html !== undefined) fail('html', undefined, body.html);
	}
	if (!isPlain('variablesInput') || !isPlain('variables')) return;
	const came = isObject(body.variables) ? body.variables : {};
	for (const [name, value] of meantVariables(one, given)) {
		// A blank one has no value if its token has a fallback.
		if (value === undefined || value === null) continue;
		if (typeof value === 'string' && value.trim() === '') continue;
		const plain = name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
		const arrived = Object.hasOwn(came, name) ? came[name] : own(came, plain);
		if (arrived === undefined || !cameAs(value, arrived)) fail(`variable ${name}`, value, arrived);
	}
}

function own(object: Record<string, unknown>, name: string): unknown {
	return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The variables of a row by name; those of which it cannot be shown what they mean are left out. */
function meantVariables(one: History, given: Record<string, unknown>): Array<[string, unknown]> {
	if (one.choices.variablesInput === 'json') {
		const { variablesJson } = given;
		if (typeof variablesJson !== 'string') {
			const isPlain = isObject(variablesJson) && variablesJson.constructor === Object;
			return isPlain ? Object.entries(variablesJson) : [];
		}
		try {
			return Object.entries(JSON.parse(variablesJson) ?? {});
		} catch {
			return [];
		}
	}
	const pairs: Array<[string, unknown]> = [];
	for (let place = 0; `name ${place}` in given; place++) {
		const name = given[`name ${place}`];
		if (typeof name !== 'string' || name.trim() === '' || /[{}|]/.test(name)) continue;
		pairs.push([name, given[`value ${place}`]]);
	}
	return pairs.filter(
		([name]) => pairs.filter(([other]) => other.trim() === name.trim()).length === 1,
	);
}

/** Whether a value arrived as itself, or as the text of itself; of what no JSON can be, anything. */
function cameAs(meant: unknown, came: unknown): boolean {
	if (typeof meant === 'string') {
		const text = meant.toWellFormed();
		return came === text || (came === text.trim() && text.trim() !== '');
	}
	if (Array.isArray(meant) && meant.length === 1 && typeof meant[0] === 'string')
		return cameAs(meant[0], came) || isDeepStrictEqual(meant, came);
	if (typeof meant === 'number' || typeof meant === 'boolean') {
		return came === meant || came === String(meant);
	}
	if (meant === null || meant === undefined) return came === null || came === '';
	if (String(came) === '[object Object]' && typeof came === 'string') return false;
	const prototype = typeof meant === 'object' ? Object.getPrototypeOf(meant) : undefined;
	if (prototype !== Object.prototype && prototype !== Array.prototype) return true;
	try {
		const json = JSON.stringify(meant);
		return json === came || isDeepStrictEqual(JSON.parse(json), came);
	} catch {
		return true;
	}
}

function checkUpdates(one: History, outcome: Outcome): void {
	const { given, arrived } = outcome;
	for (const put of arrived.filter(({ method }) => method === 'PUT')) {
		const body = bodyOf(put) as Record<string, unknown>;
		const id = put.target.split('/').at(-1);
		const index = one.rows.findIndex((_row, index) => idOf(index) === id);
		const row = given[index];
		if (!row || one.choices.mapping !== 'defineBelow' || one.choices.unmappedFields !== 'leave')
			continue;
		if (
			one.rows.some(({ overrides }) =>
				overrides.some(({ at }) =>
					/^(contact|fields$|fields\.(value|mappingMode)$|options)/.test(at),
				),
			)
		)
			continue;
		// Each contact has the tag `a` where the service answers as it should.
		if (one.choices.tags === 'add' && one.answers.length === 0 && body.tags !== undefined) {
			if (!(body.tags as unknown[]).includes('a')) {
				throw new Violation('what arrives is what was meant', 'a tag of the contact got lost');
			}
		}
		for (const field of contactFields) {
			const meant = row[`fields.value.${field}`];
			const came = body[field];
			if (typeof meant === 'string' && !['email', 'accountId', 'tags'].includes(field)) {
				// A cell in which no one sees anything may count as empty.
				const isEmpty = /^[\s\p{Cf}]*$/u.test(meant);
				if (isEmpty ? came !== undefined && came !== meant : !cameAs(meant, came)) {
					throw new Violation(
						'what arrives is what was meant',
						`${field} was ${inspect(meant).slice(0, 300)} and arrived as ${inspect(came).slice(0, 300)}`,
					);
				}
			}
			if (came !== undefined && (meant === undefined || meant === null)) {
				throw new Violation('what arrives is what was meant', `${field} was not meant and arrived`);
			}
			if (field === 'email' && came !== undefined && came !== null && came !== '') {
				if (
					typeof came !== 'string' ||
					unseen.test(came) ||
					!/^[^\s,;<>@]+@[^\s,;<>@]+$/.test(came)
				) {
					throw new Violation('one recipient', `email is ${inspect(came).slice(0, 300)}`);
				}
			}
		}
	}
	for (const [index, isSent] of sentRows(one, outcome).entries()) {
		const item = outcome.outputs[0]?.find(
			({ pairedItem }) => isObject(pairedItem) && pairedItem.item === index,
		);
		if (!isSent || item?.json._result !== 'updated') continue;
		if (!arrived.some(({ method }) => method === 'PUT')) {
			throw new Violation('what is reported as sent has arrived', `row ${index + 1}`);
		}
	}
}

/** An operation or a collection that is none is refused. */
function checkNames(one: History, { given, arrived, outputs, thrown }: Outcome): void {
	const known: Record<string, string[]> = {
		operation: ['sendTransactionalEmail', 'updateContact', 'list'],
		...(one.kind === 'list' ? { collection: Object.keys(collections) } : {}),
	};
	for (const [name, values] of Object.entries(known)) {
		for (const [index, row] of given.entries()) {
			if (!(name in row) || values.includes(row[name] as string)) continue;
			if (name === 'operation' && index > 0) continue;
			if (one.rows.length > 1 && name === 'collection') continue;
			const isRefused =
				thrown !== undefined || outputs.flat().every((item) => item.error ?? item.json.error);
			if (!isRefused || arrived.length > 0) {
				throw new Violation('own names only', `${name} ${inspect(row[name]).slice(0, 200)}`);
			}
		}
	}
}

function checkItems(one: History, { thrown, outputs, data }: Outcome): void {
	if (thrown !== undefined || data === undefined || one.kind === 'list') return;
	const indexes = outputs
		.flat()
		.map(({ pairedItem }) => (isObject(pairedItem) ? pairedItem.item : undefined));
	for (const index of one.rows.keys()) {
		const times = indexes.filter((other) => other === index).length;
		if (times !== 1) {
			throw new Violation('every item once', `row ${index + 1} is ${times} times in the output`);
		}
	}
}

/** Only a request of the package's own gets the key, and only to the service. */
function checkAuthenticate({ request }: History, { key, result, service }: Outcome): void {
	if (result === undefined || !findKey(key, hidden(result))) return;
	const fail = (what: string) => {
		throw new Violation('the key goes to no one else', what);
	};
	if (!request.isOwn) fail('a request of another node');
	const { url, disableFollowRedirect } = result as Record<string, unknown>;
	if (typeof url !== 'string') return fail('an address that is no text');
	if (new URL(url).origin !== new URL(service).origin) fail(url);
	if (disableFollowRedirect !== true) fail('redirects that are followed');
}

function bodyOf({ body }: Arrived): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
