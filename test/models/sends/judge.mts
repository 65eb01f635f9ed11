import type { Log } from '../harness/log.mts';
import { Violation as Broken } from '../harness/violation.mts';
import type { Attempt, Given, Sent } from './attempt.mts';
import type { History } from './history.mts';
import type { Life } from './life.mts';
import type { Service } from './service.mts';
import { words, type Facts } from './words.mts';

/** What has to hold. */
export type Rule =
	| 'no message twice'
	| 'nothing is reported as sent that was not'
	| 'green means that every message was sent once'
	| 'the words are true'
	| 'retries bring it to an end'
	| 'every try ends';

/** Something that must not be. */
export class Violation extends Broken<Rule> {}

/** What an item was last reported as. */
interface Report {
	item: string;
	id: string;
	execution: string;
	message: string;
	/** The first of the equal items of its run, which it is one message with. */
	first: Given;
}

/**
 * Says whether what happened is right, from nothing but what the send nodes were given, what they
 * made of it, and what the service knows.
 */
export class Judge {
	readonly #history: History;
	readonly #life: Life;
	readonly #service: Service;
	readonly #log: Log;
	/**
	 * By message (content and person): the rows it is meant for, in each node and lineage; of rows that
	 * were equal in a run, one.
	 */
	readonly #meant = new Map<string, Set<string>>();
	/** When each run began, in ms. */
	readonly #begun = new WeakMap<Attempt, number>();
	/** What the last item that was given up was, and the kind of words for it. */
	#givenUp: { given: Given; kind: string } | undefined;
	/** Violations from inside a run: the engine would take them for an error of the node. */
	readonly #seen: Violation[] = [];

	constructor(history: History, life: Life, service: Service, log: Log) {
		this.#history = history;
		this.#life = life;
		this.#service = service;
		this.#log = log;
		life.onBegin = (attempt) => this.#begins(attempt);
		life.onEnd = (attempt) => {
			try {
				this.#ends(attempt);
			} catch (error) {
				this.#seen.push(error as Violation);
			}
		};
	}

	/** After each try. @throws Violation */
	check(): void {
		this.#noMessageTwice();
		if (this.#seen.length > 0) throw this.#seen[0];
		this.#noMessageForTwo();
		if (this.#life.isGreen) this.#everyMessageOnce();
	}

	/**
	 * Why the model lets the execution stay red, whatever is retried: what the node says is wrong, and
	 * something in the history that can make it so.
	 * @throws Violation when nothing does
	 */
	lastingReason(): string {
		const reason = this.#givenUp && this.#reasonFor(this.#givenUp.given, this.#givenUp.kind);
		if (reason) return reason;
		throw new Violation('retries bring it to an end', this.#life.errorOfLastExecution);
	}

	#reasonFor({ to }: Given, kind: string): string | undefined {
		const { changed, kills, keepsFailed } = this.#life;
		const { settings, variants } = this.#history;
		const known = this.#service.messages().filter((message) => message.to === to);
		const failed = known.filter(({ outcome }) => outcome !== 'delivered').length;
		const requestRejected = this.#service.requestRejected(to);
		if (variants.errorBody === 'empty' && failed + changed + kills > 0) {
			return 'the service gives no codes';
		}
		switch (kind) {
			case 'was already sent':
			case 'sent or tried earlier, with other content':
			case 'in doubt whether it was sent':
				if (settings.volatile) return 'content that is never the same';
				if (changed > 0) return 'content or recipient changed';
				if (this.#asksOtherwise) return 'an agent asks for something else first';
				if (this.#contentsFor(to) === 1) return undefined;
				if (kills > 0) return 'in doubt after a kill';
				// Until it has asked for what went out, a further call may be that in other words.
				if (this.#history.shape === 'agent2') return 'an agent asks for what did not go out first';
				return undefined;
			case 'n8n crashed, and forgot':
				return kills > 0 && !this.#history.hasToken ? 'forgotten by n8n' : undefined;
			case 'the originals failed':
				return failed + requestRejected >= 5 ? 'five originals failed' : undefined;
			case 'message rejected':
				return failed > 0 ? 'rejected' : undefined;
			case 'nothing was delivered under this key':
				return keepsFailed && failed + requestRejected > 0 ? 'not to be sent again' : undefined;
			default:
				return undefined;
		}
	}

	#contentsFor(person: string): number {
		return [...this.#meant.keys()].filter((message) => message.endsWith(` to ${person}`)).length;
	}

	#begins(attempt: Attempt): void {
		this.#begun.set(attempt, Date.now());
		const lineage = this.#lineageOf(attempt);
		const equals = Map.groupBy(attempt.given, (given) => this.#firstEqual(attempt, given));
		for (const [first, equal] of equals) {
			const meant = this.#meant.get(messageOf(first)) ?? new Set();
			const isKnown = equal.some(({ row }) => meant.has(`${lineage} ${row}`));
			this.#meant.set(messageOf(first), isKnown ? meant : meant.add(`${lineage} ${first.row}`));
		}
	}

	/** Equal messages of one run to one recipient are one message: it is that of their first item. */
	#firstEqual(attempt: Attempt, given: Given): Given {
		const isEqual = ({ to, content, words }: Given) =>
			to === given.to && content === given.content && words === given.words;
		return this.#history.settings.volatile ? given : attempt.given.find(isEqual)!;
	}

	/** What the item brought that has sent the message of a later equal one. */
	#earlierEqual(attempt: Attempt, given: Given): Record<string, unknown> | undefined {
		const first = this.#firstEqual(attempt, given);
		const result = attempt.results[attempt.given.indexOf(first)];
		return first !== given && result && 'json' in result ? result.json : undefined;
	}

	/** A sub-workflow that is called again begins again, anyone who called it. */
	#lineageOf({ execution, node }: Attempt): string {
		return this.#history.shape.startsWith('sub') ? `${node} ${execution}` : node;
	}

	#ends(attempt: Attempt): void {
		for (const [index, result] of attempt.results.entries()) {
			if (result && 'json' in result) this.#isSent(attempt, attempt.given[index], result.json);
		}
		if (this.#life.isKilled) return;
		for (const [index, result] of attempt.results.entries()) {
			if (result && 'error' in result) this.#isTrue(attempt, attempt.given[index], result.error);
		}
		if (attempt.error === undefined) return;
		const item = attempt.failedItem ?? (attempt.given.length === 1 ? 0 : undefined);
		if (item !== undefined) this.#isTrue(attempt, attempt.given[item], attempt.error);
	}

	/** Nothing is reported as sent that was not. */
	#isSent(attempt: Attempt, given: Given, json: Record<string, unknown>): void {
		const deny = (why: string) => {
			const item = `${itemOf(attempt, given)} (${messageOf(given)}) in ${attempt.execution}`;
			throw new Violation('nothing is reported as sent that was not', `${item}: ${why}`);
		};
		const earlier = this.#earlierEqual(attempt, given);
		if (earlier && (json._result !== 'sentBefore' || json.id !== earlier.id)) {
			deny(`an equal item of its run has sent ${earlier.id}`);
		}
		if (countsAsDone(json)) {
			this.#log.count('items that count as done, sent before with other content');
			if (this.#deliveredTo(given.to) === 0) deny('sent before, it says');
			return;
		}
		this.#log.count(`items reported as ${json._result}`);
		if (json.id === undefined && this.#history.variants.sendStatus === 204) {
			if (this.#delivered(messageOf(given)) === 0) deny('nothing was delivered');
			return;
		}
		const message = this.#service.messages().find(({ id }) => id === json.id);
		if (!message) return deny(`there is no message ${json.id}`);
		if (message.to !== given.to) deny(`the message went to ${message.to}`);
		if (message.content !== given.content) deny(`the message has the content ${message.content}`);
		if (!earlier) this.#isOfItsTime(this.#lineageBegan(attempt), message.createdAt, json, deny);
		if (message.outcome === 'delivered') return;
		if (!saysNotDelivered(json)) deny(`the message was ${message.outcome}`);
		this.#log.count('items that say that their message was not delivered');
	}

	/** When the execution, or the first one that it retries and that n8n still knows of, began. */
	#lineageBegan(attempt: Attempt): number {
		const isOfIt = (other: Attempt) => this.#executionsOf(other) === this.#executionsOf(attempt);
		const began = this.#life.attempts.filter(isOfIt).map((other) => this.#begun.get(other)!);
		return Math.min(this.#begun.get(attempt)!, ...began);
	}

	/** The executions that share what they remember: a sub-workflow's, or all of the main one's. */
	#executionsOf({ execution }: Attempt): string {
		return this.#history.shape.startsWith('sub') ? execution : '';
	}

	/** Sent is what the lineage has sent; sent before, what had been there when it began. */
	#isOfItsTime(
		lineageBegan: number,
		createdAt: number,
		{ _result }: Record<string, unknown>,
		deny: (why: string) => void,
	): void {
		const isSentBefore = _result === 'sentBefore';
		if (isSentBefore && createdAt > lineageBegan - 10_000) deny('its own lineage has sent it');
		if (!isSentBefore && createdAt < lineageBegan - 12_000) deny('it was sent long before');
	}

	/** Where the node gave up, its words are true. */
	#isTrue(attempt: Attempt, given: Given, text: string): void {
		const said = words.find(({ pattern }) => pattern.test(text));
		const kind = said?.kind ?? 'other words';
		this.#log.count(`given up: ${kind}`);
		this.#givenUp = { given, kind };
		if (!said) this.#log.unread.add(text);
		const facts = this.#factsOf(given);
		if (said && !said.isTrue(facts)) {
			const item = `${itemOf(attempt, given)} (${messageOf(given)}) in ${attempt.execution}`;
			throw new Violation('the words are true', `${item}: ${text} ${JSON.stringify(facts)}`);
		}
	}

	#factsOf(given: Given): Facts {
		const known = this.#service.messages().filter(({ to }) => to === given.to);
		return {
			delivered: this.#delivered(messageOf(given)),
			meant: this.#meant.get(messageOf(given))?.size ?? 0,
			deliveredToPerson: this.#deliveredTo(given.to),
			knownForPerson: known.length,
			failedForPerson: known.filter(({ outcome }) => outcome !== 'delivered').length,
			turnedDownForPerson: this.#service.requestRejected(given.to),
		};
	}

	#delivered(message: string): number {
		return this.#service.inbox().filter((kept) => messageOf(kept) === message).length;
	}

	#deliveredTo(person: string): number {
		return this.#service.inbox().filter(({ to }) => to === person).length;
	}

	/** What was meant once arrives once, however it is tried. Interface: KEY-1, KEY-2. */
	#noMessageTwice(): void {
		for (const message of new Set(this.#service.inbox().map(messageOf))) {
			const delivered = this.#delivered(message);
			const meant = this.#meant.get(message)?.size ?? 0;
			if (delivered > meant) {
				const times = `delivered ${delivered} times, meant ${meant} times`;
				throw new Violation('no message twice', `${message}: ${times}`);
			}
		}
	}

	/** Two items are never reported as the same message, unless they are equal ones of one run. */
	#noMessageForTwo(): void {
		const items = new Map<string, Report>();
		for (const attempt of this.#life.attempts) {
			// A run that is tried again tells again which message is whose.
			for (const given of attempt.given) items.delete(itemOf(attempt, given));
			for (const [index, result] of attempt.results.entries()) {
				if (!result || 'error' in result || countsAsDone(result.json)) continue;
				const { id } = result.json;
				if (id === undefined) continue;
				const given = attempt.given[index];
				const item = itemOf(attempt, given);
				const report = { item, id: String(id), execution: attempt.execution };
				const first = this.#firstEqual(attempt, given);
				items.set(item, { ...report, message: messageOf(given), first });
			}
		}
		const byMessage = Map.groupBy(items.values(), ({ id }) => id);
		for (const sharing of byMessage.values()) {
			const areEqual = sharing.every(({ first }) => first === sharing[0].first);
			if (areEqual || this.#mayChangePlaces(sharing)) continue;
			const names = sharing.map(({ item }) => item).join(' and ');
			const text = `${names} are the same message`;
			throw new Violation('nothing is reported as sent that was not', text);
		}
	}

	/**
	 * An agent's calls are known by what they ask for. When it is tried again and asks for equal
	 * messages in another order, or a correction has made them equal, the first call gets the message
	 * that went out for either.
	 */
	#mayChangePlaces(reports: Report[]): boolean {
		const executions = new Set(reports.map(({ execution }) => execution));
		const messages = new Set(reports.map(({ message }) => message));
		return this.#asksOtherwise && executions.size === reports.length && messages.size === 1;
	}

	/** Whether an agent may ask for other messages than before, or for the same in another order. */
	get #asksOtherwise(): boolean {
		const { changed } = this.#life;
		const isReordered = this.#log.events.has('edit: askOrder');
		return this.#history.shape === 'agent2' && (changed > 0 || isReordered);
	}

	/** The execution is green: the last word about each item is so, and no item is left out. */
	#everyMessageOnce(): void {
		const ends = new Map<string, { given: Given; result: Sent | undefined; first: Given }>();
		for (const attempt of this.#life.attempts) {
			for (const [index, given] of attempt.given.entries()) {
				const first = this.#firstEqual(attempt, given);
				ends.set(itemOf(attempt, given), { given, result: attempt.results[index], first });
			}
		}
		const all = [...ends.values()];
		if (all.some(({ result }) => !result || 'error' in result)) {
			this.#log.count('green with items given up');
			return;
		}
		const rule = 'green means that every message was sent once';
		const expected = new Map<string, number>();
		const counted = new Set<Given>();
		for (const { given, result, first } of all) {
			const json = result && 'json' in result ? result.json : {};
			if (countsAsDone(json) || saysNotDelivered(json) || counted.has(first)) continue;
			counted.add(first);
			expected.set(messageOf(given), (expected.get(messageOf(given)) ?? 0) + 1);
		}
		for (const [message, times] of expected) {
			const delivered = this.#delivered(message);
			if (delivered < times) {
				throw new Violation(rule, `${message}: delivered ${delivered} times instead of ${times}`);
			}
		}
		for (const item of this.#life.itemsOfLastExecution) {
			if (!ends.has(item)) throw new Violation(rule, `${item} was left out`);
		}
		this.#log.count('green, every message once');
	}
}

/** Whether an item brings no message, because one with other content was sent before. */
function countsAsDone({ _result, id }: Record<string, unknown>): boolean {
	return _result === 'sentBefore' && id === undefined;
}

/** Whether the message that an item brings says by itself that it was not delivered. */
function saysNotDelivered({ status, error, errorReason }: Record<string, unknown>): boolean {
	return status === 'rejected' || Boolean(error) || Boolean(errorReason);
}

const messageOf = ({ content, to }: { content: string; to: string }) => `${content} to ${to}`;

/** An item, in whatever run: the row and the send node. */
const itemOf = ({ node }: Attempt, { row }: Given) => `${row} in ${node}`;
