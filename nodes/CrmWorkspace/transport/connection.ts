import {
	NodeOperationError,
	type IDataObject,
	type IHttpRequestMethods,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { realClock, type Clock } from './clock';
import {
	credentialProblem,
	normalizedBaseUrl,
	allowanceOf,
	type CrmWorkspaceCredential,
} from './credential';
import { asNode, exchange, type Exchange } from './exchange';
import {
	Cancelled,
	RequestFailure,
	type Explanation,
	type FailureDetails,
	type Fault,
	type FailedAttempt,
} from './failure';
import { Journal } from './journal';
import { nodeCredential, type NodeContext } from './nodeCredential';
import { readExchange, type AttemptResult } from './readExchange';
import type { Pacer, Permit } from './pacer';
import { holdPacer } from './pacers';
import { bodyWithoutKey, failureDetails, redactor, type FailureFacts, type Redact } from './redact';
import { isThrottled, isUnanswered, mayHaveBegun } from './meaning';
import { decide, waitingBudget } from './retry';
import { RunRoom, type Claim } from './room';
import { beganAt } from './serviceTime';

/** One request to the service. */
export interface ServiceRequest<Result> {
	method: IHttpRequestMethods;
	/** Below the base URL, beginning with a slash, its parts already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Whether the service does the work only once however often it is asked. */
	isRepeatable: boolean;
	/**
	 * Finds the result in the body of a 2xx answer; undefined when it is not there. Nothing in it is
	 * older than `asOf`, a whole second by the service's clock, in ms since 1970, if that is known.
	 */
	read: (body: unknown, statusCode: number, asOf?: number) => Result | undefined;
	/** Which part of a large answer stays in memory until the run ends, from 0 to 1; 0 by default. */
	kept?: (result: Result) => number;
	/** Error codes, in capitals, that are searched for everywhere in the body of a 409 answer. */
	knownCodes?: readonly string[];
	/** Ends the request while it waits: before the first attempt, or between two. */
	cancel?: AbortSignal;
	/** What a failure means for this request, where that is more than its status tells. */
	explain?: (details: FailureDetails) => Explanation | undefined;
}

/**
 * Opens a connection to the service with the node's credential. It has to be closed again.
 * @param timeout how long one request may take, in ms
 * @param patience for callers who rather give up than wait, in ms: a request that the rate limit or
 * a fault holds up for longer fails
 * @throws NodeOperationError when the credential must not be used; no request is made then
 * @throws what n8n throws when there is none, or when it cannot be read
 */
export async function openConnection(
	context: NodeContext,
	timeout: number,
	patience?: number,
): Promise<Connection> {
	const { credential, faults } = await nodeCredential(context);
	const problem = credentialProblem(credential);
	if (problem) throw new NodeOperationError(context.getNode(), problem);
	return new Connection(context, credential, timeout, { patience, faults });
}

/**
 * The requests of one run of the node: each waits for a permit of the pacer, and is repeated as
 * often as it takes and is safe.
 */
export class Connection {
	private readonly pacer: Pacer;

	private readonly journal = new Journal();

	private readonly room = new RunRoom();

	private readonly execution: string;

	private readonly cancel?: AbortSignal;

	private readonly closed = new AbortController();

	private readonly clock: Clock;

	private readonly isImpatient: boolean;

	private readonly redact: Redact;

	/** How many of the announced requests have not asked for a permit yet: see `expect`. */
	private expected = 0;

	/** Since when the service has refused this run and let nothing through, in ms. */
	private refusedSince = -Infinity;

	/** How long a request may wait for another chance after a failure, in ms. */
	private readonly patience: number;

	/**
	 * @param clock with whose time the connection and its pacer wait; requests take real time
	 * @param faults transient faults of n8n while it loaded the credential, for the hints
	 */
	constructor(
		private readonly context: NodeContext,
		private readonly credential: CrmWorkspaceCredential,
		private readonly timeout: number,
		{
			patience,
			clock = realClock,
			faults = [],
		}: { patience?: number; clock?: Clock; faults?: Fault[] } = {},
	) {
		for (const fault of faults) this.journal.repeated(fault);
		this.clock = clock;
		this.redact = redactor(credential.apiKey);
		this.isImpatient = patience !== undefined;
		this.patience = patience ?? waitingBudget;
		const { pacer, release } = holdPacer(credential, clock);
		this.pacer = pacer;
		const end = () => {
			this.expect(-this.expected);
			release();
			this.room.close();
		};
		this.closed.signal.addEventListener('abort', end, { once: true });
		this.execution = ('getExecutionId' in context && context.getExecutionId()) || randomUUID();
		if ('getExecutionCancelSignal' in context) this.cancel = context.getExecutionCancelSignal();
	}

	/**
	 * Lets no further request begin; those under way finish. Has to be called at the end of each run.
	 */
	close(): void {
		this.closed.abort();
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
	expect(requests: number): void {
		const change = Math.max(requests, -this.expected);
		this.expected += change;
		this.pacer.expect(change);
	}

	/**
	 * Makes a request and returns its result. Waits for the rate limit, and repeats the request after
	 * a transient failure if that is safe.
	 * @throws RequestFailure when the result could not be had
	 * @throws Cancelled when the execution is stopped, or the connection closed before an answer
	 */
	async request<Result>(request: ServiceRequest<Result>): Promise<Result> {
		let attempt = 1;
		let attempts = 0;
		let firstFailureAt: number | undefined;
		let earlier: FailedAttempt | undefined;
		let last: FailedAttempt | undefined;
		const end = this.endOf(request.cancel);
		for (;;) {
			const reading = await this.attempt(request, end, earlier !== undefined);
			if (reading && 'result' in reading) return reading.result;

			firstFailureAt ??= this.clock.now();
			const waited = this.clock.now() - firstFailureAt;
			if (!reading) {
				const heldUp = last ?? { isHeldUp: true, askedWait: this.pacer.pause };
				throw this.failure(request, { ...heldUp, attempts, waited, earlier });
			}

			const { failed } = reading;
			attempts++;
			const held = isThrottled(failed) ? this.refusedFor(firstFailureAt) : waited;
			const standing = { ...request, attempt, waited: held, patience: this.patience };
			const decision = decide(failed, standing, Math.random());
			if (!decision.again) {
				throw this.failure(request, { ...failed, attempts, waited, earlier }, held);
			}
			this.journal.repeated(failed);
			if (decision.countsAsAttempt) attempt++;
			if (mayHaveBegun(failed)) earlier = failed;
			last = failed;
			await this.clock.wait(decision.after, end);
		}
	}

	/**
	 * For how long the service has throttled this run and let no request of this process through, in
	 * ms. Counted for the run and not for each request, so that after one request has waited ten
	 * minutes in vain the next one does not do the same.
	 * @param moment the request's own first failure, from which the patience of an impatient caller
	 * counts
	 */
	private refusedFor(moment: number): number {
		const { lastAcceptedAt } = this.pacer;
		if (this.refusedSince <= lastAcceptedAt) this.refusedSince = Math.max(moment, lastAcceptedAt);
		return this.clock.now() - (this.isImpatient ? moment : this.refusedSince);
	}

	/** Ends every wait of a request. */
	private endOf(cancel?: AbortSignal): AbortSignal {
		const ends = [this.closed.signal, this.cancel, cancel];
		return AbortSignal.any(ends.filter((one) => one !== undefined));
	}

	/** What the user should know of the run so far, for the editor's output panel. */
	hints(): NodeExecutionHint[] {
		return this.journal.hints(allowanceOf(this.credential), this.pacer.requestsPerMinute);
	}

	/** Makes one attempt. Undefined if it got no permit within the caller's patience. */
	private async attempt<Result>(
		request: ServiceRequest<Result>,
		end: AbortSignal,
		mayHaveBegun: boolean,
	): Promise<AttemptResult<Result> | undefined> {
		const permit = await this.permit(this.isImpatient ? this.tooLate(end) : end);
		if (end.aborted && !permit) throw new Cancelled(mayHaveBegun);
		if (!permit) return undefined;

		const reading = await this.exchangeAndRead(request, end);
		const failed = 'failed' in reading ? reading.failed : {};
		const { askedWait = 0 } = failed;
		permit.end(
			isThrottled(failed) ? 'refused' : isUnanswered(failed) ? 'unanswered' : 'accepted',
			// One answer that asks for a year must not hold up everyone else.
			askedWait <= waitingBudget ? askedWait : 0,
		);
		if (this.cancel?.aborted) throw new Cancelled(true);
		return reading;
	}

	/** Aborted when the caller's patience is over, or as soon as `end` is. */
	private tooLate(end: AbortSignal): AbortSignal {
		if (end.aborted) return end;
		const tooLate = new AbortController();
		void realClock.wait(this.patience, end).then(() => tooLate.abort());
		return tooLate.signal;
	}

	/** Waits for a permit to send a request; undefined when `cancel` was aborted first. */
	private async permit(cancel: AbortSignal): Promise<Permit | undefined> {
		const { execution, pacer } = this;
		const isExpected = this.expected > 0;
		if (isExpected) this.expected--;
		const asked = this.clock.now();
		const permit = await pacer.admit({ execution, isExpected, cancel });
		if (permit) this.journal.waited(asked, this.clock.now(), pacer.allowed);
		return permit;
	}

	private async exchangeAndRead<Result>(
		request: ServiceRequest<Result>,
		end: AbortSignal,
	): Promise<AttemptResult<Result>> {
		const { read, knownCodes, kept = () => 0 } = request;
		const claim = this.room.claim();
		let keptPart = 0;
		try {
			const sentAt = this.clock.now();
			const answer = await this.exchange(request, { claim, end });
			const took = this.clock.now() - sentAt;
			const asOf = 'headers' in answer ? beganAt(answer.headers, took) : undefined;
			const readDated = (body: unknown, statusCode: number) => read(body, statusCode, asOf);
			const reading = readExchange(answer, readDated, this.clock.date(), knownCodes);
			if ('result' in reading) keptPart = kept(reading.result);
			return reading;
		} finally {
			claim.end(keptPart);
		}
	}

	private async exchange(
		{ method, path, query, body }: Omit<ServiceRequest<unknown>, 'kept'>,
		bounds: { claim: Claim; end: AbortSignal },
	): Promise<Exchange> {
		const url = `${normalizedBaseUrl(this.credential)}${path}`;
		const ask = asNode(this.context, this.credential, { method, url, qs: query, body });
		// A service may repeat the key in its answer. It is removed before anything is shortened, so
		// that no part of it can be left.
		const answer = await exchange(ask, { ...bounds, timeout: this.timeout });
		if (!('text' in answer)) return this.redact(answer);
		return this.redact({ ...answer, text: bodyWithoutKey(this.redact, answer.text) });
	}

	private failure<Result>(
		{ method, path, explain }: ServiceRequest<Result>,
		facts: FailureFacts,
		held = facts.waited,
	): RequestFailure {
		const { askedWait = 0 } = facts;
		const isAskedTooMuch = askedWait > 0 && held + askedWait > this.patience;
		const told = { ...facts, isAskedTooMuch };
		const details = failureDetails(this.credential, `${method} ${path}`, told);
		return new RequestFailure({ ...details, explanation: explain?.(details) });
	}
}
