import type { FastifyInstance } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

import { jsonParser } from './json.mts';

/** The host names of this machine. */
const ownNames = ['127.0.0.1', 'localhost'];

/**
 * Rejects requests that other websites make a visitor's browser send: pages of another origin, or
 * pages whose host name was made to resolve to this machine (DNS rebinding). Other clients send no
 * `Origin` and no `Sec-Fetch-Site`.
 */
export function addressThisMachineOnly(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ headers, url }, reply) => {
		const problem = foreignPart(headers, url);
		if (problem)
			return reply.code(403).send({ error: `The sandbox is for this machine: ${problem}` });
	});
}

/** Describes the part of a request that comes from elsewhere. */
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

/** Links to the page are allowed: they change nothing, and the other website can't read it. */
function isLinkToPage(headers: IncomingHttpHeaders, url: string): boolean {
	return /^\/_sandbox\/?$/.test(url) && headers['sec-fetch-dest'] === 'document';
}

/**
 * Rejects changes that a browser would send without a preflight request: forms, plain text, and
 * requests without a content type. An empty body counts as none.
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
		else void parse(request, String(body), done);
	});
}

/** Prevents other pages from embedding or loading anything of the sandbox. */
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
