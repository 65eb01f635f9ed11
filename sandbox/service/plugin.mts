import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Mode } from '../identity.mts';
import type { State } from '../state.mts';
import { modeOfKey } from './authentication.mts';
import { disturbAfter, disturbBefore, drop } from './disturb.mts';
import { errorAnswer, invalid, refuse, ServiceError } from './errors.mts';
import { retryHeaders } from './rateLimit.mts';
import { addOperations } from './routes.mts';
import './visit.mts';

/**
 * The service of the interface, as a Fastify plugin. A request is logged, authenticated,
 * counted against the rate limit, affected by a pending fault, validated and performed.
 */
export function addService(service: FastifyInstance, state: State): void {
	keepRawBodies(service);
	service.decorateRequest('rawBody', '');
	service.addHook('onRequest', async (request, reply) => {
		beginVisit(state, request, reply);
		if (state.latency > 0) await state.pause(state.latency);
		if (!request.visit.mode) throw unauthorized(state);
	});
	service.addHook('preValidation', async (request, reply) => {
		const { visit } = request;
		visit.logged.body = request.body;
		countAndPickFault(state, request);
		const answered = await disturbBefore(state, request, reply);
		return answered ? reply : undefined;
	});
	service.addHook('onSend', async (request, reply, payload) => {
		if (!request.visit) return payload;
		addHeaders(state, request, reply);
		request.visit.logged.status = reply.statusCode;
		const sent = await disturbAfter(state, request, reply, payload);
		keepAnswer(state, request, reply, sent);
		return sent;
	});
	service.setErrorHandler<FastifyError>((error, request, reply) => {
		if (request.body === undefined && hasBody(request)) request.visit.logged.bodyLost = true;
		if (error.name === 'AbortError') return drop(request, reply);
		const refusal = serviceErrorFrom(state, error);
		request.visit.logged.code = refusal.code;
		return answer(state, reply, refusal);
	});
	service.setNotFoundHandler((request, reply) => {
		const message = `There is no ${request.method} ${request.visit.logged.path}`;
		return answer(state, reply, new ServiceError(404, 'ROUTE_NOT_FOUND', message));
	});
	addOperations(service, state);
}

/**
 * Accepts JSON only. Faults can match a part of the raw body.
 * Interface: HTTP-1, HTTP-4.
 */
function keepRawBodies(service: FastifyInstance): void {
	const parse = service.getDefaultJsonParser('error', 'error');
	service.removeAllContentTypeParsers();
	service.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		request.rawBody = String(body);
		void parse(request, String(body), done);
	});
}

function hasBody({ headers }: FastifyRequest): boolean {
	return Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
}

function beginVisit(state: State, request: FastifyRequest, reply: FastifyReply): void {
	const mode = modeOfKey(request.headers, state.keys);
	const logged = state.requests.add({
		method: request.method,
		// Clients of proxies send a full URL.
		path: new URL(request.url, 'http://sandbox').pathname.slice('/api/v1'.length),
		query: request.query,
		status: null,
		at: state.clock.timestamp(),
		took: null,
		key: mode ?? null,
	});
	request.visit = { logged, mode, fault: undefined, aside: {} };
	const began = performance.now();
	// The server reports nothing else about a connection that a fault has cut.
	reply.raw.once('close', () => {
		logged.took = Math.round(performance.now() - began);
	});
}

/** Logs the response, unless a fault ended the connection. */
function keepAnswer(state: State, request: FastifyRequest, reply: FastifyReply, sent: unknown) {
	const { logged } = request.visit;
	if (logged.status === null) return;
	logged.status = reply.statusCode;
	if (typeof sent === 'string') state.requests.addAnswer(logged, sent);
}

/** The error for a missing or wrong key. Interface: AUTH-1, OPEN-17. */
function unauthorized({ variants }: State): ServiceError {
	return refuse(variants, 'UNAUTHORIZED', 'A valid API key is required');
}

/** A fault with status 429 isn't counted: it simulates a limit that other clients used up. */
function countAndPickFault(state: State, request: FastifyRequest): void {
	const { visit, method, rawBody } = request;
	const mode = visit.mode!;
	const now = state.clock.now();
	const wait = state.rate.wait(mode, now);
	if (wait > 0) throw tooMany(state, mode, wait);
	visit.fault = state.faults.take({ method, path: visit.logged.path, rawBody });
	if (visit.fault) visit.logged.fault = visit.fault.kind;
	if (visit.fault?.status !== 429) state.rate.admit(mode, now);
}

function tooMany({ rate, variants }: State, mode: Mode, wait: number): ServiceError {
	rate.refuse(mode);
	const message = `More than ${rate.requestsPerMinute} requests per minute`;
	const headers = retryHeaders(variants.rateLimitAnswer, wait);
	return new ServiceError(429, 'RATE_LIMITED', message, headers);
}

/** `Date` by the clock of the service and, if it is odd, headers about the rate limit. */
function addHeaders(state: State, { visit }: FastifyRequest, reply: FastifyReply): void {
	const { rate, variants, clock } = state;
	reply.header('date', new Date(clock.now()).toUTCString());
	if (variants.service === 'usual' || !visit.mode || !rate.requestsPerMinute) return;
	reply.header('x-ratelimit-limit', rate.requestsPerMinute);
	reply.header('x-ratelimit-remaining', rate.remaining(visit.mode, clock.now()));
}

const frameworkCodes: Record<number, string> = {
	400: 'MALFORMED_REQUEST',
	413: 'BODY_TOO_LARGE',
	415: 'UNSUPPORTED_MEDIA_TYPE',
};

function serviceErrorFrom(state: State, error: FastifyError | ServiceError): ServiceError {
	if (error instanceof ServiceError) return error;
	if (error.validation) return invalid(state.variants, error.message);
	const status = error.statusCode ?? 500;
	if (status < 500)
		return new ServiceError(status, frameworkCodes[status] ?? 'REFUSED', error.message);
	console.error(error);
	return new ServiceError(500, 'INTERNAL_ERROR', 'The sandbox made a mistake: see its output');
}

function answer(state: State, reply: FastifyReply, error: ServiceError): FastifyReply {
	const { contentType, body } = errorAnswer(error, state.variants);
	reply.code(error.statusCode).headers(error.headers);
	if (contentType) reply.header('content-type', contentType);
	return reply.send(body);
}
