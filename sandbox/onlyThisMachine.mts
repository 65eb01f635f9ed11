import type { FastifyInstance } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

import { jsonParser } from './json.mts';

/** The names that this machine has for itself. */
const ownNames = ['127.0.0.1', 'localhost'];

/**
 * Refuses what a web page makes its visitor's browser send here: a page of another origin, or one
 * whose own name was made to mean this machine (DNS rebinding). Other clients send no `Origin` and
 * no `Sec-Fetch-Site`.
 */
export function addressThisMachineOnly(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ headers, url }, reply) => {
		const problem = foreignPart(headers, url);
		if (problem)
			return reply.code(403).send({ error: `The sandbox is for this machine: ${problem}` });
	});
}

/** Says what in a request is of somewhere else. */
function foreignPart(headers: IncomingHttpHeaders, url: string): string | undefined {
	const { host = '', origin } = headers;
	const name = host.replace(/:\d+$/, '').toLowerCase();
	if (!ownNames.includes(name)) return `call it ${ownNames.join(' or ')}, not '${name}'`;
	if (origin !== undefined && origin !== `http://${host}`)
		return `a page of ${origin} has no access`;
	const site = headers['sec-fetch-site'];
	if ((site === 'cross-site' || site === 'same-site') && !isLinkToPage(headers, url))
		return `a page of another origin (${site}) has no access`;
	return undefined;
}

/** A link to the page may be followed from anywhere: it does nothing, and no one can read it. */
function isLinkToPage(headers: IncomingHttpHeaders, url: string): boolean {
	return /^\/_sandbox\/?$/.test(url) && headers['sec-fetch-dest'] === 'document';
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
	const parse = jsonParser(app);
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		if (body === '') done(null, undefined);
		else parse(request, String(body), done);
	});
}

/** Refuses other pages to show anything of the sandbox inside of themselves, or to load it. */
export function refuseEmbedding(app: FastifyInstance): void {
	app.addHook('onRequest', async (_request, reply) => {
		reply.headers({
			'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
			'x-frame-options': 'DENY',
			'x-content-type-options': 'nosniff',
			'cross-origin-resource-policy': 'same-origin',
			'referrer-policy': 'no-referrer',
		});
	});
}
