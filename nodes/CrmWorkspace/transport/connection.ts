/**
 * One request made well, whichever it is: sent when it may be (pacing/), as n8n sends requests
 * (http/), with the key and only to the service (credential/), made again where that helps and is
 * safe (`retry.ts`), and explained if it fails (errors/). The API key is in nothing that leaves,
 * and no operation is known here.
 */
import type { IDataObject, IHttpRequestMethods, NodeExecutionHint } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import {
	allowanceOf,
	hostOf,
	normalizedBaseUrl,
	type CrmWorkspaceCredential,
} from './credential/credential';
import type { NodeContext } from './credential/read';
import { keyRemover, type WithoutKey } from './credential/withoutKey';
import {
	Cancelled,
	isKeyRefused,
	isThrottled,
	mayHaveArrived,
	RequestFailure,
	type FailedAttempt,
} from './errors/failure';
import { readAnswer, type Answer, type Attempt } from './http/answer';
import { askAsNode, exchange } from './http/exchange';
import { Journal } from './journal';
import { realClock, type Clock } from './pacing/clock';
import type { Pacer, Permit, PermitOutcome } from './pacing/pacer';
import { holdPacer } from './pacing/pacers';
import { retry, waitingBudget, type Outcome, type RequestHistory } from './retry';

/**
 * After how long without a connection to the service a run is closed, in ms. A restart that takes
 * less costs the requests that were made meanwhile, and none after them.
 */
const longestOutage = 60_000;

export interface ServiceRequest<Result> {
	method: IHttpRequestMethods;
	/** Below the base URL, beginning with a slash, its parts already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Whether the service does the work only once however often it is asked. */
	isRepeatable: boolean;
	/**
	 * Finds the result in a 2xx answer; undefined when it is not there.
	 * @param since how long ago the request was asked for, all its attempts and waits included, in ms
	 */
	read: (answer: Answer, since: number) => Result | undefined;
	/** Ends the request while it waits: before the first attempt, or between two. */
	cancel?: AbortSignal;
}

/** With whose time a connection waits, and until when. */
interface ConnectionTime {
	/** The clock of the connection and, if it is the first with its key, of its pacer; requests take real time. */
	clock?: Clock;
	/** For how long, from now on, a request may begin, in ms; without end unless told. */
	patience?: number;
}

/**
 * What the requests of one run of the node share: the pace of their key, and what one of them has
 * learned for the others. Each waits for a permit of the pacer, and is repeated as often as it takes
 * and is safe. It has to be closed at the end of the run.
 */
export class Connection {
	/** Takes the key of this connection out of a text that leaves as an error or a hint. */
	readonly withoutKey: WithoutKey;

	private readonly pacer: Pacer;

	private readonly releasePacer: () => void;

	private readonly journal = new Journal();

	private readonly execution: string;

	private readonly clock: Clock;

	/** Until when requests may begin, by the clock, in ms. */
	private readonly deadline: number;

	private readonly cancel?: AbortSignal;

	private readonly closed = new AbortController();

	/** Why no further request can succeed, if the connection was closed for that. */
	private closedFor?: FailedAttempt;

	/** Since when there is no connection to the service, in ms; absent as long as there is. */
	private unreachableSince?: number;

	/** Since when the service has throttled this run and let nothing through, in ms. */
	private throttledSince = -Infinity;

	/** How many announced requests are still to ask for a permit: see `announce`. */
	private announced = 0;

	/**
	 * @param credential as `readCredential` gives it
	 * @param timeout how long one request may take, in ms
	 */
	constructor(
		private readonly context: NodeContext,
		private readonly credential: CrmWorkspaceCredential,
		private readonly timeout: number,
		{ clock = realClock, patience = Infinity }: ConnectionTime = {},
	) {
		this.clock = clock;
		this.deadline = clock.now() + patience;
		this.withoutKey = keyRemover(credential.apiKey);
		const { pacer, release } = holdPacer(credential, clock);
		this.pacer = pacer;
		this.releasePacer = release;
		this.execution = ('getExecutionId' in context && context.getExecutionId()) || randomUUID();
		if ('getExecutionCancelSignal' in context) this.cancel = context.getExecutionCancelSignal();
		if (patience === Infinity) return;
		void clock.wait(patience, this.closed.signal).then(() => this.close({ kind: 'noRoom' }));
	}

	/**
	 * Lets no further request begin; those under way finish.
	 * @param reason why all others would fail, if they would; otherwise the run is over
	 */
	close(reason?: FailedAttempt): void {
		if (this.closed.signal.aborted) return;
		this.closedFor = reason;
		this.announce(-this.announced);
		this.closed.abort();
		this.releasePacer();
	}

	/**
	 * How long so many requests would wait for the rate limit, in ms, as it is at present: none where
	 * they fit into what is left of a minute's allowance.
	 */
	waitFor(requests: number): number {
		const { free, requestsPerMinute } = this.pacer;
		return requests <= free ? 0 : (requests * 60_000) / requestsPerMinute;
	}

	/**
	 * Announces so many further requests, or takes back so many that were announced. The pacer uses
	 * the number to decide whether all of them fit into the minute.
	 */
	announce(requests: number): void {
		if (this.closed.signal.aborted) return;
		const change = Math.max(requests, -this.announced);
		this.announced += change;
		this.pacer.announce(change);
	}

	/** What the user should know of the run so far, for the editor's output panel. */
	hints(): NodeExecutionHint[] {
		return this.journal.hints(allowanceOf(this.credential));
	}

	/**
	 * Makes a request and returns its result. Waits for the rate limit, and repeats the request after
	 * a transient failure if that is safe.
	 * @throws RequestFailure when the result could not be had
	 * @throws Cancelled when the execution is stopped, or the connection closed before an answer
	 */
	async request<Result>(request: ServiceRequest<Result>): Promise<Result> {
		const { cancel, isRepeatable } = request;
		const { clock, deadline } = this;
		const ends = [this.closed.signal, this.cancel, cancel].filter((one) => one !== undefined);
		const end = AbortSignal.any(ends);
		const askedAt = clock.now();
		const read = (answer: Answer) => request.read(answer, clock.now() - askedAt);
		const outcome = await retry({
			makeAttempt: async () => await this.attempt(request, read, end),
			isRepeatable,
			throttledFor: () => this.throttledFor(),
			onRepeat: (failed, pause) => this.journal.repeated(failed, clock.now(), pause),
			clock,
			deadline,
			end,
		});
		if ('result' in outcome) return outcome.result;
		throw this.errorOf(request, outcome);
	}

	/** Makes one attempt. Undefined if it was ended before it got a permit. */
	private async attempt<Result>(
		{ method, path, query, body }: ServiceRequest<Result>,
		read: (answer: Answer) => Result | undefined,
		end: AbortSignal,
	): Promise<Attempt<Result> | undefined> {
		const url = `${normalizedBaseUrl(this.credential)}${path}`;
		const ask = askAsNode(this.context, this.credential, { method, url, qs: query, body });
		const permit = await this.permit(end);
		if (!permit) return undefined;
		let made: Attempt<Result> | undefined;
		try {
			const exchanged = await exchange(ask, this.timeout);
			made = readAnswer(exchanged, read, this.withoutKey, this.clock.date());
			const hasArrived = 'result' in made || mayHaveArrived(made.failed);
			this.unreachableSince = hasArrived ? undefined : (this.unreachableSince ?? this.clock.now());
			return made;
		} finally {
			const outcome = outcomeOf(made);
			permit.end(outcome, made && pauseAfter(made));
			if (outcome === 'letThrough') this.journal.letThrough(this.clock.now());
		}
	}

	/** Waits for a permit to send a request; undefined when `cancel` was aborted first. */
	private async permit(cancel: AbortSignal): Promise<Permit | undefined> {
		const { execution, pacer } = this;
		const isAnnounced = this.announced > 0;
		if (isAnnounced) this.announced--;
		const askedAt = this.clock.now();
		const permit = await pacer.admit({ execution, isAnnounced, cancel });
		if (permit) this.journal.permitted(askedAt, this.clock.now(), pacer);
		return permit;
	}

	/**
	 * For how long the service has throttled this run and let no request of this process through, in
	 * ms. Counted for the run and not for each request: after one has waited ten minutes in vain, the
	 * next ones have one attempt each.
	 */
	private throttledFor(): number {
		const now = this.clock.now();
		if (this.throttledSince <= this.pacer.lastLetThroughAt) this.throttledSince = now;
		return now - this.throttledSince;
	}

	/** What to throw for a request without a result; notes what it means for those after it. */
	private errorOf<Result>(
		request: ServiceRequest<Result>,
		outcome: Exclude<Outcome<Result>, { result: Result }>,
	): RequestFailure | Cancelled {
		if ('ended' in outcome) return this.errorOfEnded(request, outcome.ended);
		const { failed, ...history } = outcome.givenUp;
		// The stop may have cut it off on its way.
		if (this.cancel?.aborted && failed.statusCode === undefined) return new Cancelled(true);
		const { unreachableSince: since = Infinity } = this;
		const isGone = this.clock.now() - since >= longestOutage;
		if (isKeyRefused(failed) || isGone) this.close(failed);
		return this.failure(request, failed, history);
	}

	private errorOfEnded(
		request: ServiceRequest<unknown>,
		{ failed, ...history }: RequestHistory,
	): RequestFailure | Cancelled {
		const { closedFor } = this;
		if (!closedFor || this.cancel?.aborted) return new Cancelled(history.earlier !== undefined);
		const known = closedFor.kind === 'noRoom' ? (failed ?? closedFor) : closedFor;
		return this.failure(request, known, history);
	}

	private failure(
		{ method, path }: ServiceRequest<unknown>,
		failed: FailedAttempt,
		history: Omit<RequestHistory, 'failed'>,
	): RequestFailure {
		const { mode } = this.credential;
		const target = { request: `${method} ${path}`, host: hostOf(this.credential), mode };
		return new RequestFailure({ ...failed, ...history, ...target });
	}
}

/** What the rate limit made of an attempt; none was made where it was ended before. */
function outcomeOf(made?: Attempt<unknown>): PermitOutcome {
	if (!made) return 'unanswered';
	if ('result' in made) return 'letThrough';
	const { failed } = made;
	if (isThrottled(failed)) return 'throttled';
	if (failed.statusCode !== undefined) return 'letThrough';
	return mayHaveArrived(failed) ? 'unanswered' : 'unsent';
}

/** In ms: as long as the service asks for. */
function pauseAfter(made: Attempt<unknown>): number {
	const { askedWait = 0 } = 'failed' in made ? made.failed : {};
	// One answer that asks for a year must not hold up everyone else.
	return askedWait <= waitingBudget ? askedWait : 0;
}
