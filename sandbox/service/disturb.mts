import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Fault } from '../control/faults.mts';
import type { State } from '../state.mts';
import { errorAnswer, ServiceError } from './errors.mts';

/**
 * Applies a fault before the request is performed.
 * @returns whether the fault sent the response
 */
export async function disturbBefore(
	state: State,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<boolean> {
	const { fault } = request.visit;
	if (!fault || fault.after) return false;
	if (fault.kind === 'delay') await state.pause(fault.delayMs ?? 0);
	if (fault.kind === 'dropBefore') {
		drop(request, reply);
		return true;
	}
	if (!answersItself(fault)) return false;
	// Otherwise the fault would affect its own response.
	request.visit.fault = undefined;
	reply.send(replacement(state, reply, fault));
	return true;
}

/**
 * Applies a fault after the request was performed.
 * @param payload the response without the fault
 * @returns the response to send
 */
export async function disturbAfter(
	state: State,
	request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
): Promise<unknown> {
	const { fault } = request.visit;
	if (!fault) return payload;
	switch (fault.kind) {
		case 'dropAfter':
			request.visit.logged.status = null;
			request.raw.socket.destroy();
			return payload;
		case 'malformed':
			return payload ? `${String(payload).slice(0, -1)},,]` : payload;
		case 'truncated':
			return sendHalf(request, reply, String(payload ?? ''));
		default:
			if (!fault.after) return payload;
			if (fault.kind === 'delay') await state.pause(fault.delayMs ?? 0);
			return answersItself(fault) ? replacement(state, reply, fault) : payload;
	}
}

/** Ends the connection without a response. */
export function drop(request: FastifyRequest, reply: FastifyReply): void {
	request.visit.logged.status = null;
	reply.hijack();
	request.raw.socket.destroy();
}

function answersItself({ kind }: Fault): boolean {
	return kind === 'status' || kind === 'body' || kind === 'redirect';
}

const statusOf: Partial<Record<Fault['kind'], number>> = { status: 500, body: 200, redirect: 302 };

/** Sets the status and headers of the fault's own answer. @returns its body */
function replacement(state: State, reply: FastifyReply, fault: Fault): string {
	const status = fault.status ?? statusOf[fault.kind]!;
	reply.code(status).removeHeader('content-length');
	if (fault.location) reply.header('location', fault.location);
	const { contentType, body } = bodyOf(state, fault, status);
	if (contentType) reply.header('content-type', contentType);
	reply.headers(fault.headers ?? {});
	return body;
}

function bodyOf({ variants }: State, { kind, body }: Fault, status: number) {
	if (typeof body === 'string') return { contentType: 'text/plain; charset=utf-8', body };
	if (body !== undefined) {
		return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
	}
	if (kind !== 'status') return { contentType: undefined, body: '' };
	const error = new ServiceError(status, `ERROR_${status}`, `The service answered ${status}`);
	return errorAnswer(error, variants);
}

/** Announces the whole length and ends the connection in the middle. */
function sendHalf(request: FastifyRequest, reply: FastifyReply, payload: string): Promise<never> {
	const bytes = Buffer.from(payload);
	const { socket } = request.raw;
	reply.raw.writeHead(reply.statusCode, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': bytes.length,
	});
	reply.raw.write(bytes.subarray(0, bytes.length / 2), () => socket.destroy());
	// Nothing may write to this response any more, so the calling hook never continues.
	return new Promise(() => undefined);
}
