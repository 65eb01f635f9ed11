import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Mode } from '../identity.mts';
import { jsonParser } from '../json.mts';
import type { State } from '../state.mts';
import { modeOfKey } from './authentication.mts';
import { disturbAfter, disturbBefore, drop } from './disturb.mts';
import { errorAnswer, invalid, refuse, ServiceError } from './errors.mts';
import { comeBackHeaders } from './rateLimit.mts';
import { addOperations } from './routes.mts';
import './visit.mts';

/**
 * The service of the interface, as a Fastify plugin. A request is logged, let in by its key,
 * counted against the rate limit, disturbed if a fault waits for it, checked and answered.
 */
export function addService(service: FastifyInstance, state: State): void {
	keepRawBodies(service);
	service.decorateRequest('rawBody', '');
	service.addHook('onRequest', async (request, reply) => {
		beginVisit(state, request, reply);
		if (state.latency > 0) await state.pause(state.latency);
		letIn(state, request);
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
	const unknownRoute = (request: FastifyRequest, reply: FastifyReply) => {
		const message = `There is no ${request.method} ${request.visit.logged.path}`;
		return answer(state, reply, new ServiceError(404, 'ROUTE_NOT_FOUND', message));
	};
	service.setNotFoundHandler(unknownRoute);
	const methodsOf = rememberMethods(service);
	addOperations(service, state);
	refuseOtherMethods(service, state, methodsOf);
}

/**
 * Takes bodies of JSON only. Faults can look for a piece of the body as it came.
 * Interface: HTTP-1, HTTP-4.
 */
function keepRawBodies(service: FastifyInstance): void {
	const parse = jsonParser(service);
	service.removeAllContentTypeParsers();
	service.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		request.rawBody = String(body);
		parse(request, String(body), done);
	});
}

function hasBody({ headers }: FastifyRequest): boolean {
	return Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
}

function beginVisit(state: State, request: FastifyRequest, reply: FastifyReply): void {
	const mode = modeOfKey(request.headers, state.keys);
	const logged = state.requests.add({
		method: request.method,
		// An address in full, as it is sent to proxies, is one of this service too.
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

/** What a fault has cut off was no answer. */
function keepAnswer(state: State, request: FastifyRequest, reply: FastifyReply, sent: unknown) {
	const { logged } = request.visit;
	if (logged.status === null) return;
	logged.status = reply.statusCode;
	if (typeof sent === 'string') state.requests.addAnswer(logged, sent);
}

/** Refuses a request that came without a key, or with a wrong one. Interface: AUTH-1, OPEN-17. */
function letIn({ variants }: State, { visit }: FastifyRequest): void {
	if (visit.mode) return;
	throw refuse(variants, 'UNAUTHORIZED', 'A valid API key is required');
}

/** A fault of status 429 costs nothing: it stands for a limit that others have used up. */
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
	const headers = comeBackHeaders(variants.rateLimitAnswer, wait);
	return refuse(variants, 'RATE_LIMITED', message, headers);
}

/** `Date` by the clock of the service. Odd: headers that describe the rate limit in its place. */
function addHeaders(state: State, { visit }: FastifyRequest, reply: FastifyReply): void {
	const { rate, variants, clock } = state;
	if (variants.service === 'usual') {
		reply.header('date', new Date(clock.now()).toUTCString());
		return;
	}
	reply.raw.sendDate = false;
	if (!visit.mode || !rate.requestsPerMinute) return;
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
	reply.code(error.status).headers(error.headers);
	if (contentType) reply.header('content-type', contentType);
	return reply.send(body);
}

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Learns, while routes are added, which methods each path has. */
function rememberMethods(service: FastifyInstance): Map<string, string[]> {
	const methodsOf = new Map<string, string[]>();
	service.addHook('onRoute', ({ url, prefix, method }) => {
		const path = url.slice(prefix.length);
		methodsOf.set(path, [...(methodsOf.get(path) ?? []), method].flat());
	});
	return methodsOf;
}

/** A known path with a method it does not have is answered with 405 and the methods it has. */
function refuseOtherMethods(
	service: FastifyInstance,
	state: State,
	methodsOf: Map<string, string[]>,
): void {
	for (const [url, allowed] of [...methodsOf]) {
		const headers = { allow: allowed.join(', ') };
		const method = allMethods.filter((name) => !allowed.includes(name));
		const handler = (request: FastifyRequest, reply: FastifyReply) => {
			const message = `${request.method} is not possible here, only ${headers.allow}`;
			return answer(state, reply, new ServiceError(405, 'METHOD_NOT_ALLOWED', message, headers));
		};
		service.route({ method, url, handler });
	}
}
