import type { IDataObject } from 'n8n-workflow';
import { endPlay } from '../harness/clock.mts';
import type { Kept } from '../harness/messages.mts';
import { Violation } from '../harness/violation.mts';
import type { History } from './history.mts';
import type { Life } from './life.mts';
import { customKeyOf, type Attempt, type Given, type Result } from './nodes.mts';
import { isDelivered, type DisturbedService } from './service.mts';

/** What a send node has made of an item. */
interface Report {
	given: Given;
	/** The first of the equal items of its run, which it is one message with. */
	first: Given;
	result: Result | undefined;
}

/** Messages that are this old may be reported as sent now or earlier. */
const clockToleranceMs = 12_000;

/**
 * Says whether what happened is right, from nothing but what the send nodes were given, what they
 * made of it, and what the service has.
 */
export class Invariants {
	readonly #history: History;
	readonly #life: Life;
	readonly #service: DisturbedService;
	/**
	 * By message, the rows that want it, in each node and retry chain; of rows that were equal in a
	 * run, one.
	 */
	readonly #meant = new Map<string, Set<string>>();
	/** By person, the contents and words of all messages so far. */
	readonly #wordings = new Map<string, Set<string>>();

	constructor(history: History, life: Life, service: DisturbedService) {
		this.#history = history;
		this.#life = life;
		this.#service = service;
		life.onBegin = (attempt) => {
			const before = service.log.length;
			this.#noteMeant(attempt);
			return () => {
				const isDisturbed = !service.log.slice(before).every(isDelivered);
				life.isTroubled ||= isDisturbed;
				try {
					this.#checkRun(attempt, isDisturbed);
				} catch (error) {
					// The engine would take it for an error of the node.
					endPlay(error as Error);
				}
			};
		};
	}

	/** After each try. @throws Violation */
	check(): void {
		for (const [message, meant] of this.#meant) this.#noMessageTwice(message, meant.size);
		// A run that is tried again reports again which message is whose.
		const all = this.#life.attempts.flatMap((attempt) => this.#reportsOf(attempt));
		noMessageForTwo([...new Map(all.map((report) => [report.given.row, report])).values()]);
	}

	#reportsOf(attempt: Attempt): Report[] {
		return attempt.given.map((given, index) => ({
			first: this.#firstEqual(attempt, given),
			...{ given, result: attempt.results[index] },
		}));
	}

	/**
	 * Equal messages of one run, also of an agent, to one recipient are one message: it is that of
	 * their first item.
	 */
	#firstEqual(attempt: Attempt, given: Given): Given {
		const { hasCustomKeys } = this.#history.settings;
		const isEqual = (other: Given) =>
			messageOf(other) === messageOf(given) &&
			other.words === given.words &&
			(!hasCustomKeys || customKeyOf(other) === customKeyOf(given));
		const all = this.#runOf(attempt).flatMap((one) => one.given);
		// A call that was corrected before its retry is what it is now.
		const now = new Map(all.map((one) => [one.row, one]));
		return all.find((one) => now.get(one.row) === one && isEqual(one)) ?? given;
	}

	#runOf(attempt: Attempt): Attempt[] {
		const [{ agentRun }] = attempt.given;
		if (agentRun === undefined) return [attempt];
		return this.#life.attempts.filter(({ given }) => given[0].agentRun === agentRun);
	}

	#noteMeant(attempt: Attempt): void {
		const chain = this.#chainOf(attempt);
		for (const { to, content, words } of attempt.given) {
			const wordings = this.#wordings.get(to) ?? new Set();
			this.#wordings.set(to, wordings.add(`${content} ${words}`));
		}
		for (const [first, equal] of Map.groupBy(this.#reportsOf(attempt), ({ first }) => first)) {
			const meant = this.#meant.get(messageOf(first)) ?? new Set();
			const isKnown = equal.some(({ given }) => meant.has(`${chain} ${given.row}`));
			this.#meant.set(messageOf(first), isKnown ? meant : meant.add(`${chain} ${first.row}`));
		}
	}

	/** A sub-workflow that is called again begins a retry chain of its own. */
	#chainOf({ execution }: Attempt): string {
		return this.#history.shape === 'sub' ? execution : '';
	}

	#checkRun(attempt: Attempt, isDisturbed: boolean): void {
		const reports = this.#reportsOf(attempt);
		const isComplete = reports.some(({ result }) => result && 'json' in result);
		const missing = reports.find(({ result }) => !result);
		if (isComplete && missing) throw new Violation('no item is left out', missing.given.row);
		for (const report of reports) this.#check(attempt, report, isDisturbed);
	}

	#check(attempt: Attempt, report: Report, isDisturbed: boolean): void {
		const { given, result } = report;
		if (!result) return;
		const says = (text: string) => `${given.row}, ${messageOf(given)}: ${text}`;
		if ('json' in result) {
			const lie = this.#lieOf(attempt, report, result.json);
			const text = says(`${lie}, but it brings ${JSON.stringify(result.json)}`);
			if (lie) throw new Violation('nothing is reported as sent that was not', text);
		} else if (!this.#life.isKilled) {
			const lie = this.#lieInError(given, result.error);
			if (lie) throw new Violation('errors are true', says(`${lie}, but: ${result.error}`));
			if (!isDisturbed && !this.#mayFail(given))
				throw new Violation('nothing fails without a reason', says(result.error));
		}
	}

	/** What is not as an item says that comes out without an error. */
	#lieOf(attempt: Attempt, { given, first }: Report, json: IDataObject): string | undefined {
		const { options } = attempt;
		const isBefore = json._result === 'sentBefore';
		const earlier =
			first === given
				? undefined
				: this.#runOf(attempt).flatMap((one) => one.results[one.given.indexOf(first)] ?? [])[0];
		const isRejected = json._result === 'rejected';
		const isSent = !isBefore && !isRejected;
		if (earlier && 'json' in earlier && (isSent || json.id !== earlier.json.id))
			return `an equal item of its run has sent ${String(earlier.json.id)}`;
		if (json.id === undefined) {
			// One with other content was sent before.
			const isChanged = isBefore && options.onContentChanged === 'output';
			if (!isChanged) return 'it is not to be accepted';
			return this.#delivered(({ to }) => to === given.to) > 0 ? undefined : 'nothing was delivered';
		}
		const kept = this.#service.messages.all.find(({ id }) => id === json.id);
		if (!kept || !isFor(given)(kept)) return `the message is ${kept && messageOf(kept)}`;
		const isAccepted = options.onRejected === 'output' && isRejected && saysUndelivered(json);
		if (kept.outcome !== 'delivered') return isAccepted ? undefined : `it was ${kept.outcome}`;
		if (isRejected) return 'it was delivered';
		// Sent is what the retry chain has sent; sent before, what had been there when it began.
		const isOfIt = (other: Attempt) => this.#chainOf(other) === this.#chainOf(attempt);
		const chain = this.#life.attempts.filter(isOfIt).map(({ began }) => began);
		const age = Math.min(attempt.began, ...chain) - kept.createdAt;
		if (isBefore && !earlier && age < 0) return 'its own execution has sent it';
		return !isBefore && age > clockToleranceMs ? 'it was sent long before' : undefined;
	}

	/** What is not as an error says. */
	#lieInError(given: Given, error: string): string | undefined {
		const { all } = this.#service.messages;
		const claimsSend = /was already sent|tried earlier/.test(error);
		if (claimsSend && !all.some(({ to }) => to === given.to)) return 'the service has no message';
		if (claimsSend || /\bmay\b/.test(error) || this.#life.losses > 0) return undefined;
		// If a response has shown it, an error may be about the last attempt only.
		const isShown = (kept: Kept) => isFor(given)(kept) && kept.asked.some(({ answer }) => answer);
		if (all.some(isShown)) return undefined;
		const isOut = this.#delivered(isFor(given)) >= this.#meant.get(messageOf(given))!.size;
		return isOut ? 'it was sent' : undefined;
	}

	/**
	 * In a run without a fault, an item fails only after something else went wrong, and only if its
	 * person has a second message, or one that the service failed or rejected.
	 */
	#mayFail({ to }: Given): boolean {
		const hasSecond = this.#wordings.get(to)!.size > 1;
		const isUndelivered = (kept: Kept) => kept.to === to && kept.outcome !== 'delivered';
		return this.#life.isTroubled && (hasSecond || this.#service.messages.all.some(isUndelivered));
	}

	#delivered(isMeant: (kept: Kept) => boolean): number {
		const isCounted = (kept: Kept) => kept.outcome === 'delivered' && isMeant(kept);
		return this.#service.messages.all.filter(isCounted).length;
	}

	/** What was meant once arrives once, however it is tried. Interface: KEY-1, KEY-2. */
	#noMessageTwice(message: string, meant: number): void {
		const delivered = this.#delivered((kept) => messageOf(kept) === message);
		const times = `${message}: delivered ${delivered} times, meant ${meant} times`;
		if (delivered > meant) throw new Violation('no message twice', times);
	}
}

/** Two items are never reported as the same message, unless they are equal ones of one run. */
function noMessageForTwo(reports: Report[]): void {
	const byId = new Map<unknown, Report>();
	for (const report of reports) {
		const id = report.result && 'json' in report.result ? report.result.json.id : undefined;
		const other = byId.get(id) ?? report;
		const text = `${other.given.row} and ${report.given.row} are the same message`;
		if (id !== undefined && other.first !== report.first)
			throw new Violation('nothing is reported as sent that was not', text);
		byId.set(id, other);
	}
}

/** Whether the message that an item brings shows by itself that it was not delivered. */
function saysUndelivered({ status }: IDataObject): boolean {
	return status === 'rejected' || status === 'failed';
}

/** The content and the recipient; the service has the content in the html. */
function messageOf(message: Given | Kept): string {
	const content = 'html' in message ? message.html.slice(2, -2) : message.content;
	return `${content} to ${message.to}`;
}

const isFor = (given: Given) => (kept: Kept) => messageOf(kept) === messageOf(given);
