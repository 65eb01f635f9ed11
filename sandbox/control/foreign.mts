import type { FastifyReply } from 'fastify';

/**
 * Sends HTML that someone else has written. It runs nothing, loads nothing and belongs to no origin.
 * Its links open in new windows, which the frame of the page forbids.
 */
export function sendForeignHtml(reply: FastifyReply, html: string): FastifyReply {
	// The document type stays first: browsers lay out pages without it differently.
	const start = /^(?:\s|<!--[^]*?-->)*(?:<!doctype[^>]*>)?/i;
	return reply
		.headers({
			'content-security-policy':
				"sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
			'x-frame-options': 'SAMEORIGIN',
			'x-dns-prefetch-control': 'off',
		})
		.type('text/html; charset=utf-8')
		.send(html.replace(start, (beginning) => `${beginning}<base target="_blank">`));
}
