import type { AcceptedMessage } from '../../../nodes/CrmWorkspace/service/crmWorkspace';
import type { Message } from '../../../nodes/CrmWorkspace/service/records';
import type { Connection, ServiceRequest } from '../../../nodes/CrmWorkspace/transport/connection';
import {
	Cancelled,
	RequestFailure,
	type FailedAttempt,
} from '../../../nodes/CrmWorkspace/transport/failure';
import { answered, lost } from './attempts.mts';

/**
 * What happens to a request: rejected, by the service or by a proxy that reports a conflict, taken
 * but not delivered, or only by a later attempt than that of which the answer tells, never sent, lost
 * before or after the work, stopped after it, or its send fails, which the answer says by its status,
 * in the message, not at all, or only to the next attempt of the same request.
 */
export type Disturbance =
	| 'refused'
	| 'conflictOfProxy'
	| 'rejected'
	| 'deliveredLater'
	| 'neverSent'
	| 'lostBefore'
	| 'lostAfter'
	| 'stoppedAfter'
	| 'sendFails'
	| 'sendFailsAsMessage'
	| 'sendFailsUnseen'
	| 'sendFailsNow';

/** The first send under a key. */
interface Original {
	content: string;
	isFailed: boolean;
	message: Message;
}

/** The idempotency rules of the interface in memory, for tests that need nothing else of a service. */
export class IdempotentService {
	/** Subjects of what was delivered, in order. */
	readonly delivered: string[] = [];

	/** Subjects of what was asked for, in order. */
	readonly asked: string[] = [];

	/** What to do to the next requests with a subject. */
	readonly disturbances = new Map<string, Disturbance[]>();

	/** The first sends, by their keys. */
	readonly originals = new Map<string, Original>();

	/** @param failedAndDifferent the code for other content under the key of a failed send */
	constructor(
		private readonly failedAndDifferent = 'IDEMPOTENT_REPLAY',
		private readonly codes: 'given' | 'absent' = 'given',
	) {}

	/** A connection that makes each request once. */
	get connection(): Connection {
		const request = async ({ body, explain }: ServiceRequest<unknown>) => {
			try {
				return this.send(body as never);
			} catch (error) {
				if (!(error instanceof RequestFailure)) throw error;
				throw new RequestFailure({ ...error.details, explanation: explain?.(error.details) });
			}
		};
		return { request } as unknown as Connection;
	}

	private send({ idempotencyKey = '', to, subject }: Record<string, string>): AcceptedMessage {
		const content = `${to} ${subject}`;
		const original = this.originals.get(idempotencyKey);
		const next = this.disturbances.get(subject)?.shift();
		// What is there can't fail any more.
		const disturbance = original && next?.startsWith('sendFails') ? undefined : next;
		this.asked.push(subject);
		if (disturbance === 'refused') throw failure(answered(422));
		if (disturbance === 'conflictOfProxy') throw failure(answered(409));
		if (disturbance === 'lostBefore') throw failure(lost);
		if (disturbance === 'neverSent') throw failure({ kind: 'unreachable' });
		if (original?.isFailed) {
			const code = original.content === content ? 'IDEMPOTENT_REPLAY' : this.failedAndDifferent;
			throw this.conflict(code);
		}
		if (original && original.content !== content) throw this.conflict('IDEMPOTENCY_KEY_REUSED');
		const { message } = original ?? this.work(idempotencyKey, content, subject, disturbance);
		if (disturbance === 'sendFails') throw failure(answered(422));
		if (disturbance === 'sendFailsUnseen') throw failure(answered(502));
		if (disturbance === 'sendFailsNow') throw this.conflict('IDEMPOTENT_REPLAY', lost);
		if (disturbance === 'lostAfter') throw failure(lost);
		if (disturbance === 'stoppedAfter') throw new Cancelled(true);
		return { message, wasSentBefore: original !== undefined };
	}

	private work(key: string, content: string, subject: string, disturbance?: Disturbance): Original {
		const isFailed = disturbance?.startsWith('sendFails') ?? false;
		const isDelivered = !isFailed && disturbance !== 'rejected';
		const message = {
			id: subject,
			...(disturbance === 'rejected' && { status: 'rejected', error: 'No such mailbox' }),
			...(disturbance === 'sendFailsAsMessage' && { status: 'failed', error: 'No such domain' }),
			...(disturbance === 'deliveredLater' && { status: 'queued', error: 'Try again later' }),
		};
		if (isDelivered) this.delivered.push(subject);
		this.originals.set(key, { content, isFailed, message });
		return this.originals.get(key)!;
	}

	private conflict(code: string, earlier?: FailedAttempt): RequestFailure {
		const known = this.codes === 'given' ? code : undefined;
		return failure(answered(409, { code: known, earlier }));
	}
}

function failure(outcome: FailedAttempt & { earlier?: FailedAttempt }): RequestFailure {
	return new RequestFailure({
		...outcome,
		request: 'POST /transactional/send',
		host: 'crm.example.com',
		mode: 'test',
		attempts: 1,
	});
}
