import { currentTime } from './clock.mts';
import type { Asked, Reply } from './service.mts';

/** What becomes of a message. */
export type Outcome = 'delivered' | 'failed' | 'rejected';

/** How the service reads what the interface leaves open. */
export interface MessageVariants {
	/** What answers a failed send: an error of this status, or the failed message as a success. */
	failureAnswer: 502 | 422 | 'message';
	/** Whether a rejected message counts as failed when its key is repeated. */
	rejectedIsFailed: boolean;
	/** What a key gets whose original failed and had different content. */
	failedAndDifferent: 'IDEMPOTENT_REPLAY' | 'IDEMPOTENCY_KEY_REUSED';
}

/** A message that the service has. */
export interface Kept {
	id: string;
	to: string;
	subject: string;
	html: string;
	createdAt: number;
	outcome: Outcome;
	/** The requests with its key. */
	asked: Asked[];
	isForgotten?: boolean;
}

/** The messages of the service, with their keys. */
export class Messages {
	readonly all: Kept[] = [];
	/** By recipient; delivered without. */
	readonly outcomes = new Map<string, Outcome>();
	readonly #variants: MessageVariants;

	constructor(variants: MessageVariants) {
		this.#variants = variants;
	}

	/** It doesn't know any more the keys of which an answer has told. */
	forget(): void {
		const isTold = ({ answer }: Asked) => answer && answer.statusCode < 300;
		for (const kept of this.all) kept.isForgotten ||= kept.asked.some(isTold);
	}

	/** Answers `POST /transactional/send`. */
	send(asked: Asked): Reply {
		const { failureAnswer } = this.#variants;
		const key = asked.body.idempotencyKey;
		const original = this.all.find(
			(one) => one.asked[0].body.idempotencyKey === key && !one.isForgotten,
		);
		if (original) return this.#replay(original, asked);
		const kept = this.#keep(asked);
		if (kept.outcome !== 'failed' || failureAnswer === 'message') return show(kept);
		return refuse(failureAnswer, 'SEND_FAILED');
	}

	/** Interface: KEY-2, KEY-3, KEY-6. */
	#replay(original: Kept, asked: Asked): Reply {
		const { rejectedIsFailed, failedAndDifferent } = this.#variants;
		const { outcome } = original;
		const { to, subject, html } = asked.body;
		original.asked.push(asked);
		const isFailed = outcome === 'failed' || (outcome === 'rejected' && rejectedIsFailed);
		const isSame = original.to === to && original.subject === subject && original.html === html;
		if (isSame && !isFailed) return show(original);
		const whenDifferent = isFailed ? failedAndDifferent : 'IDEMPOTENCY_KEY_REUSED';
		return refuse(409, isSame ? 'IDEMPOTENT_REPLAY' : whenDifferent);
	}

	#keep(asked: Asked): Kept {
		const { to, subject, html } = asked.body as Record<string, string>;
		const kept: Kept = {
			...{ id: `message-${this.all.length + 1}`, to, subject, html, asked: [asked] },
			...{ createdAt: currentTime(), outcome: this.outcomes.get(to) ?? 'delivered' },
		};
		this.all.push(kept);
		return kept;
	}
}

function show({ id, to, outcome, createdAt }: Kept): Reply {
	const status = outcome === 'delivered' ? 'queued' : outcome;
	const data = { id, to, status, createdAt: new Date(createdAt), errorReason: null };
	return [200, JSON.stringify({ data })];
}

function refuse(statusCode: number, code: string): Reply {
	return [statusCode, JSON.stringify({ error: { code, message: 'It cannot be done' } })];
}
