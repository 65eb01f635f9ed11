import type { IDataObject } from 'n8n-workflow';
import { Violation } from '../harness/violation.mts';
import type { History } from './history.mts';
import type { Life } from './life.mts';
import type { Attempt, Given, Result } from './nodes.mts';
import type { Kept, Service } from './service.mts';

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
	readonly #service: Service;
	/**
	 * By message, the rows that want it, in each node and retry chain; of rows that were equal in a
	 * run, one.
	 */
	readonly #meant = new Map<string, Set<string>>();
	/** Violations from inside a run, which the engine would take for an error of the node. */
	readonly #seen: Error[] = [];

	constructor(history: History, life: Life, service: Service) {
		this.#history = history;
		this.#life = life;
		this.#service = service;
		life.onBegin = (attempt) => {
			const { failures } = service;
			this.#noteMeant(attempt);
			return () => {
				try {
					this.#checkRun(attempt, service.failures > failures);
				} catch (error) {
					this.#seen.push(error as Error);
				}
			};
		};
	}

	/** After each try. @throws Violation */
	check(): void {
		for (const [message, meant] of this.#meant) this.#noMessageTwice(message, meant.size);
		const foreign = this.#life.attempts.find((attempt) => attempt.foreign);
		if (foreign) throw new Violation('a run sends nothing but its items', foreign.foreign!);
		if (this.#seen.length > 0) throw this.#seen[0];
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
		const isEqual = (other: Given) =>
			messageOf(other) === messageOf(given) && other.words === given.words;
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
		const kept = this.#service.messages.find(({ id }) => id === json.id);
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
		const claimsSend = /was already sent|tried earlier/.test(error);
		const hasMessage = this.#service.messages.some(({ to }) => to === given.to);
		if (claimsSend && !hasMessage) return 'the service has no message';
		if (claimsSend || /\bmay\b/.test(error) || this.#life.losses > 0) return undefined;
		// If a response has shown it, an error may be about the last attempt only.
		const isShown = (kept: Kept) => isFor(given)(kept) && kept.isConfirmed;
		if (this.#service.messages.some(isShown)) return undefined;
		const isOut = this.#delivered(isFor(given)) >= this.#meant.get(messageOf(given))!.size;
		return isOut ? 'it was sent' : undefined;
	}

	/** Whether something earlier in the history may keep a message to a person from being sent. */
	#mayFail({ to, row }: Given): boolean {
		const { losses, changed, keepsFailed, attempts } = this.#life;
		const { shape, settings, service } = this.#history;
		const known = this.#service.messages.filter((kept) => kept.to === to);
		const failed = known.filter(({ outcome }) => outcome !== 'delivered');
		// Until what was sent is asked for again, another message may be this one.
		const isReused = failed.length > 0 && service.failedAndDifferent === 'IDEMPOTENCY_KEY_REUSED';
		// In a first execution, a fallback's message isn't the failed one.
		const isOfFallback = (html: string) => html.startsWith('[[f');
		const isFirst = new Set(attempts.map(({ execution }) => execution)).size === 1;
		const isAlone = isFirst && row.endsWith('f');
		const isOpen = this.#service.unknown.some(
			(request) => request.to === to && (!isAlone || isOfFallback(request.html)),
		);
		const isAgent = shape === 'agent' || shape === 'agent3';
		const mayBeOther = losses > 0 || isReused || isOpen || isAgent;
		const { rewords, repeats, errorPath } = settings;
		const isReworded = errorPath === 'rewordedBack';
		const hasOthers = [...this.#meant.keys()].filter((one) => one.endsWith(` to ${to}`)).length > 1;
		return (
			changed.has(to) ||
			(mayBeOther && (hasOthers || isReworded)) ||
			(isAgent && (rewords || repeats === 'reworded')) ||
			failed.some(({ outcome }) => outcome === 'rejected' || keepsFailed) ||
			failed.length >= 5
		);
	}

	#delivered(isMeant: (kept: Kept) => boolean): number {
		const isCounted = (kept: Kept) => kept.outcome === 'delivered' && isMeant(kept);
		return this.#service.messages.filter(isCounted).length;
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

const messageOf = ({ content, to }: { content: string; to: string }) => `${content} to ${to}`;

const isFor = (given: Given) => (kept: Kept) => messageOf(kept) === messageOf(given);
