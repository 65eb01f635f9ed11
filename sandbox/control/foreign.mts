import type { FastifyReply } from 'fastify';

/**
 * Sends HTML that someone else has written, for a frame or by itself. Its links open in new
 * windows, which the frame forbids: one that opened in it would leave it blank.
 */
export function sendForeignHtml(reply: FastifyReply, html: string): FastifyReply {
	// The document type stays first, because without it a browser lays out differently.
	const start = /^(?:\s|<!--[^]*?-->)*(?:<!doctype[^>]*>)?/i;
	const dead = html.replace(start, (beginning) => `${beginning}<base target="_blank">`);
	return sendForeign(reply, 'text/html', dead);
}

/**
 * Sends what someone else has written: it runs nothing, loads nothing and belongs to no origin,
 * in the frame of the page as well as opened by itself.
 */
export function sendForeign(reply: FastifyReply, type: string, text: string): FastifyReply {
	return reply
		.headers({
			'content-security-policy':
				"sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
			'x-frame-options': 'SAMEORIGIN',
			'x-dns-prefetch-control': 'off',
		})
		.type(`${type}; charset=utf-8`)
		.send(text);
}
