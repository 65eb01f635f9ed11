import type { FastifyInstance } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

/** The names that this machine has for itself. */
const ownNames = ['127.0.0.1', 'localhost'];

/**
 * Refuses what a web page makes its visitor's browser send here: a page of another origin, or one
 * whose own name was made to mean this machine (DNS rebinding). Other clients send no `Origin`.
 */
export function addressThisMachineOnly(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ headers }, reply) => {
		const problem = foreignPart(headers);
		if (problem)
			return reply.code(403).send({ error: `The sandbox is for this machine: ${problem}` });
	});
}

/** Says what in a request is of somewhere else. */
function foreignPart({ host = '', origin }: IncomingHttpHeaders): string | undefined {
	const name = host.replace(/:\d+$/, '').toLowerCase();
	if (!ownNames.includes(name)) return `call it ${ownNames.join(' or ')}, not '${name}'`;
	if (origin !== undefined && origin !== `http://${host}`)
		return `a page of ${origin} has no access`;
	return undefined;
}

/**
 * Refuses, of what changes something, all that a page can send without the browser asking whether
 * it may: forms, plain text, and requests without a content type. An empty body is none.
 */
export function requireJson(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ method, headers }, reply) => {
		if (method === 'GET' || method === 'HEAD') return;
		if (/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) return;
		return reply
			.code(415)
			.send({ error: 'Send Content-Type: application/json, also without a body' });
	});
	const parse = app.getDefaultJsonParser('error', 'error');
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		if (body === '') done(null, undefined);
		else parse(request, String(body), done);
	});
}
