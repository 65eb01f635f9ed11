import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the page's files, by their path below /_sandbox/page. */
const folders = {
	'/page/own': join(import.meta.dirname, '../page'),
	'/page/lit': join(import.meta.dirname, '../../node_modules/lit'),
	'/page/lit-html': join(import.meta.dirname, '../../node_modules/lit-html'),
	'/page/pico': join(import.meta.dirname, '../../node_modules/@picocss/pico/css'),
};

/** The page and its files, which a browser loads without a build step. */
export function addPage(control: FastifyInstance): void {
	const html = readFileSync(join(folders['/page/own'], 'index.html'), 'utf8');
	const policy = policyFor(html);
	control.get('/', (_request, reply) =>
		reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html),
	);
	for (const [prefix, root] of Object.entries(folders)) {
		control.register(files, { root, prefix, decorateReply: false, index: false });
	}
}

/** Allows the page to run its own files and its import map, and to call this sandbox. */
function policyFor(html: string): string {
	const [, importMap] = /<script type="importmap">(.*?)<\/script>/s.exec(html)!;
	return [
		"default-src 'none'",
		`script-src 'self' 'sha256-${hash('sha256', importMap, 'base64')}'`,
		"style-src 'self'",
		"img-src 'self' data:",
		"connect-src 'self'",
		"frame-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; ');
}
