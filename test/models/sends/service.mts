import { currentTime, pass } from '../harness/clock.mts';
import { answerOf, ConnectionReset, type Answer } from '../harness/service.mts';
import { people, type Fault, type Outcome, type Try, type Variants } from './history.mts';

interface SendRequest {
	to: string;
	subject: string;
	html: string;
	idempotencyKey: string;
}

/** A message that the service has. */
export interface Kept extends SendRequest {
	id: string;
	/** What the generator wrote into the html. */
	content: string;
	createdAt: number;
	outcome: Outcome;
	/** Whether a response has shown it. */
	isConfirmed: boolean;
	/** Whether an answer was this message. */
	isAnswered?: boolean;
	isForgotten?: boolean;
}

/** What disturbs one try. */
interface Disturbance {
	faults: Array<Fault & { left: number }>;
	kill: Try['kill'];
	onKill: () => void;
	isKilled: boolean;
	requests: number;
}

/** No try of a few rows has a use for so many requests. */
const mostRequests = 400;

/** The service as the interface has it, as far as sending goes, and all that it has sent. */
export class Service {
	readonly messages: Kept[] = [];
	/** The contents and people of requests whose outcome is unknown. */
	readonly unknown: SendRequest[] = [];
	/** How many requests were not answered with a message that is delivered. */
	failures = 0;
	onTooMany: () => void = () => {};

	readonly #variants: Variants;
	readonly #outcomes = new Map<string, Outcome>();
	#current!: Disturbance;

	constructor(variants: Variants) {
		this.#variants = variants;
	}

	/** Begins a try. @param onKill is called when n8n has to end */
	disturb({ faults, outcomes, kill }: Try, onKill: () => void): void {
		for (const { to, outcome } of outcomes) this.#outcomes.set(people[to], outcome);
		const counted = faults.map((fault) => ({ ...fault, left: fault.count }));
		this.#current = { faults: counted, kill, onKill, isKilled: false, requests: 0 };
	}

	/** It doesn't know any more the keys of which an answer has told. */
	forget(): void {
		for (const kept of this.messages) kept.isForgotten ||= kept.isAnswered;
	}

	/** From now on, every message is delivered. */
	lift(): void {
		this.#outcomes.clear();
	}

	/** Takes the requests of one run of the node. @throws ConnectionReset for a lost response */
	connect(): (body: string) => Promise<Answer> {
		const disturbance = this.#current;
		return async (body) => {
			const request = JSON.parse(body) as SendRequest;
			await pass(Math.random() * 100);
			const fault = this.#faultOf(request, disturbance);
			const isRefused = typeof fault?.response === 'number' && fault.response < 500;
			const isDone = !fault || (fault.isDone && !isRefused);
			const answer = isDone ? this.#send(request) : undefined;
			await pass(Math.random() * 100);
			if (fault) this.failures++;
			if (fault && !isRefused) this.unknown.push(request);
			if (fault || !answer) return disturbed(fault?.response);
			const kept = this.#withKey(request);
			if (kept) kept.isConfirmed = true;
			if (kept && answer.statusCode < 300) kept.isAnswered = true;
			return answer;
		};
	}

	#faultOf({ to }: SendRequest, disturbance: Disturbance): Partial<Fault> | undefined {
		const { kill, faults } = disturbance;
		const number = disturbance.requests++;
		if (number > mostRequests) this.onTooMany();
		if (disturbance.isKilled) return { isDone: false };
		if (number === kill?.request) {
			disturbance.isKilled = true;
			disturbance.onKill();
			return { isDone: kill.isDone };
		}
		const isFor = (fault: Fault) => fault.to === undefined || people[fault.to] === to;
		const hit = faults.find((fault) => fault.left > 0 && number >= fault.from && isFor(fault));
		if (hit) hit.left--;
		return hit;
	}

	#withKey({ idempotencyKey }: SendRequest): Kept | undefined {
		return this.messages.find((one) => one.idempotencyKey === idempotencyKey && !one.isForgotten);
	}

	#send(request: SendRequest): Answer {
		const { failureAnswer } = this.#variants;
		const original = this.#withKey(request);
		if (original) return this.#replay(original, request);
		const kept = this.#keep(request);
		if (kept.outcome !== 'failed' || failureAnswer === 'message') return this.#show(kept);
		return this.#refusal(failureAnswer === 422 ? 422 : 502, 'SEND_FAILED');
	}

	/** Interface: KEY-2, KEY-3, KEY-6. */
	#replay(original: Kept, { to, subject, html }: SendRequest): Answer {
		const { rejectedIsFailed, failedAndDifferent } = this.#variants;
		const { outcome } = original;
		const isFailed = outcome === 'failed' || (outcome === 'rejected' && rejectedIsFailed);
		const isSame = original.to === to && original.subject === subject && original.html === html;
		if (isSame && !isFailed) return this.#show(original);
		const whenDifferent = isFailed ? failedAndDifferent : 'IDEMPOTENCY_KEY_REUSED';
		return this.#refusal(409, isSame ? 'IDEMPOTENT_REPLAY' : whenDifferent);
	}

	#keep(request: SendRequest): Kept {
		const kept: Kept = {
			...request,
			id: `message-${this.messages.length + 1}`,
			content: /\[\[(\w*)\]\]/.exec(request.html)![1],
			createdAt: currentTime(),
			outcome: this.#outcomes.get(request.to) ?? 'delivered',
			isConfirmed: false,
		};
		this.messages.push(kept);
		return kept;
	}

	#show({ id, to, outcome, createdAt }: Kept): Answer {
		if (outcome !== 'delivered') this.failures++;
		const status = outcome === 'delivered' ? 'queued' : outcome;
		const data = { id, to, status, createdAt: new Date(createdAt), errorReason: null };
		return answerOf(200, JSON.stringify({ data }), currentTime());
	}

	#refusal(status: number, code: string): Answer {
		this.failures++;
		const body = { error: { code, message: 'It cannot be done' } };
		return answerOf(status, JSON.stringify(body), currentTime());
	}
}

/** What comes instead of an answer. @throws ConnectionReset */
function disturbed(response: Fault['response'] = 'none'): Answer {
	if (response === 'none') throw new ConnectionReset();
	if (response === 'page') return answerOf(200, '<html><body>Welcome</body></html>', currentTime());
	if (response === 'otherJson') return answerOf(200, '{"data":{"login":"/"}}', currentTime());
	// Of someone on the way, who knows nothing of idempotency keys.
	return answerOf(response, '{"message":"Sorry"}', currentTime());
}
