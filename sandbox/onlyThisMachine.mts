import type { FastifyInstance } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

const ownHost = /^(127\.0\.0\.1|localhost)(:\d+)?$/i;

/**
 * Rejects requests that other websites make a visitor's browser send: pages of another origin, or
 * pages whose host name was made to resolve to this machine (DNS rebinding). Other clients send no
 * `Origin` and no `Sec-Fetch-Site`.
 */
export function addressThisMachineOnly(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ headers, url }, reply) => {
		const { host = '', origin = `http://${host}`, 'sec-fetch-site': site } = headers;
		const isOwn = ownHost.test(host) && origin === `http://${host}`;
		const isForeign = site === 'cross-site' || site === 'same-site';
		if (isOwn && (!isForeign || isLinkToPage(headers, url))) return;
		const error = 'The sandbox is for this machine: call it 127.0.0.1, and from no other website';
		return reply.code(403).send({ error });
	});
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
	const parse = app.getDefaultJsonParser('error', 'error');
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
