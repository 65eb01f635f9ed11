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
	shareOf,
	type CrmWorkspaceCredential,
} from './credential';
import { asNode, exchange, type Exchange } from './exchange';
import {
	Cancelled,
	RequestFailure,
	type Explanation,
	type FailureDetails,
	type Fault,
	type Outcome,
} from './failure';
import { Journal } from './journal';
import { nodeCredential, type NodeContext } from './nodeCredential';
import { readExchange, type Reading } from './outcome';
import type { Pacer, Pass } from './pacer';
import { holdPacer } from './pacers';
import { bodyWithoutKey, failureDetails, redactor, type FailureFacts, type Redact } from './redact';
import { isRefusal, isUnanswered, mayHaveBegun } from './meaning';
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
	/** Which part of a large answer its run holds until it ends, from 0 to 1: none unless told. */
	kept?: (result: Result) => number;
	/** Codes that a conflict may be about, in capitals: they are found wherever its body has them. */
	knownCodes?: readonly string[];
	/** Ends it as long as it is not under way, between two attempts, too. */
	cancel?: AbortSignal;
	/** What a failure means for this request, where that is more than its status tells. */
	explain?: (details: FailureDetails) => Explanation | undefined;
}

/**
 * Opens the way to the service with the node's credential. It has to be closed again.
 * @param timeout how long one request may take, in ms
 * @param patience how long somebody waits for a result who would rather have none, in ms: a request
 * that the rate limit or a fault holds up for longer is given up
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

/** The way to the service for the length of one run of the node. */
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

	/** How many of the requests that were said to come have not asked for leave yet. */
	private expected = 0;

	/** Since when the service has refused this run and let nothing through, in ms. */
	private refusedSince = -Infinity;

	/** How long a request may wait for another chance after a failure, in ms. */
	private readonly patience: number;

	/**
	 * @param clock with whose time the connection and its pacer wait; requests take real time
	 * @param faults of n8n that passed before the credential was there
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

	/** Lets no further request begin; those under way finish. To be called when all is done, too. */
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
	 * So many requests more are going to be made, or so many fewer than was said: the pacer knows then
	 * whether they fit.
	 */
	expect(requests: number): void {
		const change = Math.max(requests, -this.expected);
		this.expected += change;
		this.pacer.expect(change);
	}

	/**
	 * Asks the service, at its pace and as often as it takes and is safe.
	 * @throws RequestFailure when the result could not be had
	 * @throws Cancelled when the execution is stopped, or the connection closed before an answer
	 */
	async request<Result>(request: ServiceRequest<Result>): Promise<Result> {
		let attempt = 1;
		let attempts = 0;
		let firstFailureAt: number | undefined;
		let earlier: Outcome | undefined;
		let last: Outcome | undefined;
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
			const held = isRefusal(failed) ? this.refusedFor(firstFailureAt) : waited;
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
	 * For how long the service has refused this run and let nothing of this process through, in ms:
	 * what it does not do for one request in ten minutes, the next one need not wait ten minutes for.
	 * @param moment the request's own first failure: whoever is impatient waits no longer
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
		return this.journal.hints(shareOf(this.credential), this.pacer.requestsPerMinute);
	}

	/** Undefined when there was no leave to send it for as long as somebody waits. */
	private async attempt<Result>(
		request: ServiceRequest<Result>,
		end: AbortSignal,
		mayHaveBegun: boolean,
	): Promise<Reading<Result> | undefined> {
		const pass = await this.leave(this.isImpatient ? this.tooLate(end) : end);
		if (end.aborted && !pass) throw new Cancelled(mayHaveBegun);
		if (!pass) return undefined;

		const reading = await this.exchangeAndRead(request, end);
		const failed = 'failed' in reading ? reading.failed : {};
		const { askedWait = 0 } = failed;
		pass.end(
			isRefusal(failed) ? 'refused' : isUnanswered(failed) ? 'unanswered' : 'accepted',
			// One answer that asks for a year must not hold up everyone else.
			askedWait <= waitingBudget ? askedWait : 0,
		);
		if (this.cancel?.aborted) throw new Cancelled(true);
		return reading;
	}

	/** Aborted when the patience of whoever waits is over, or as soon as `end` is. */
	private tooLate(end: AbortSignal): AbortSignal {
		if (end.aborted) return end;
		const tooLate = new AbortController();
		void realClock.wait(this.patience, end).then(() => tooLate.abort());
		return tooLate.signal;
	}

	/** Leave to send a request; undefined when `cancel` was aborted first. */
	private async leave(cancel: AbortSignal): Promise<Pass | undefined> {
		const { execution, pacer } = this;
		const isExpected = this.expected > 0;
		if (isExpected) this.expected--;
		const asked = this.clock.now();
		const pass = await pacer.admit({ execution, isExpected, cancel });
		if (pass) this.journal.waited(asked, this.clock.now(), pacer.allowed);
		return pass;
	}

	private async exchangeAndRead<Result>(
		request: ServiceRequest<Result>,
		end: AbortSignal,
	): Promise<Reading<Result>> {
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
		// A service may repeat what it was sent. Of what is cut later, no half of the key must be left.
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
