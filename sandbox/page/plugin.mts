import files from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { join } from 'node:path';
import {
	modeQuery,
	pageQuery,
	viewNames,
	type InMode,
	type ViewName,
} from '../control/schemas.mts';
import { modes } from '../identity.mts';
import { ServiceError } from '../service/errors.mts';
import type { State } from '../state.mts';
import { showContacts } from './contacts.mts';
import { showControls } from './controls.mts';
import { html, type Html } from './html.mts';
import { showInbox } from './messages.mts';
import { linkTo, type Place, type Shown } from './parts.mts';
import { showRequests } from './requests.mts';

const views: Record<ViewName, (shown: Shown) => Html> = {
	inbox: showInbox,
	contacts: showContacts,
	requests: showRequests,
	controls: showControls,
};

/** Scripts and styles of the page, which a browser loads without a build step. */
const root = [
	join(import.meta.dirname, 'browser'),
	join(import.meta.dirname, '../../node_modules/@picocss/pico/css'),
];

/** The page loads its own files, calls this sandbox and shows messages. It runs nothing else. */
const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"frame-src 'self'",
	"base-uri 'none'",
	"form-action 'self'",
	"frame-ancestors 'none'",
].join('; ');

/** The page: each view is an address of its own. */
export function addPage(control: FastifyInstance, state: State): void {
	control.register(files, { root, prefix: '/page', decorateReply: false, index: false });

	control.get<{ Querystring: Place }>(
		'/',
		{ schema: { querystring: pageQuery } },
		({ query: place, host }, reply) => {
			const content = views[place.view]({ state, place, host });
			reply.header('content-security-policy', policy).type('text/html; charset=utf-8');
			return reply.send(frame(state, place, content).text);
		},
	);

	control.get<InMode & { Params: { id: string } }>(
		'/messages/:id/html',
		{ schema: { querystring: modeQuery } },
		({ params: { id }, query: { mode } }, reply) => {
			const message = state.messages.find(mode, id);
			if (!message) throw new ServiceError(404, 'MESSAGE_NOT_FOUND', `There is no message ${id}`);
			return sendForeignHtml(reply, message.html);
		},
	);
}

/**
 * Sends HTML that someone else has written. It runs nothing, loads nothing and belongs to no origin.
 * Its links open in new windows, which the frame of the page forbids.
 */
function sendForeignHtml(reply: FastifyReply, content: string): FastifyReply {
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
		.send(content.replace(start, (beginning) => `${beginning}<base target="_blank">`));
}

function frame({ messages, requests }: State, place: Place, content: Html): Html {
	const { view, mode } = place;
	const counts: Partial<Record<ViewName, number>> = {
		inbox: messages.count(mode),
		requests: requests.all().length,
	};
	const link = (to: Partial<Place>, isCurrent: boolean, text: Html) =>
		html`<li>
			<a href="${linkTo(to)}" ${isCurrent ? html`aria-current="page"` : ''}>${text}</a>
		</li>`;
	const capitalized = (name: string) => name[0].toUpperCase() + name.slice(1);
	const toViews = viewNames.map((name) =>
		link(
			{ view: name, mode },
			name === view,
			html`${capitalized(name)} <small>${counts[name]}</small>`,
		),
	);
	const toModes = modes.map((one) =>
		link({ ...place, mode: one, open: '' }, one === mode, html`${capitalized(one)} data`),
	);
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>Sandbox</title>
				<link rel="icon" href="/_sandbox/page/icon.svg" />
				<link rel="stylesheet" href="/_sandbox/page/pico.min.css" />
				<link rel="stylesheet" href="/_sandbox/page/page.css" />
				<script src="/_sandbox/page/page.js"></script>
			</head>
			<body>
				<header>
					<nav>
						<ul aria-label="Views" id="views" data-live>
							<li><strong>Sandbox</strong></li>
							${toViews}
						</ul>
						<ul aria-label="Workspace">
							${toModes}
						</ul>
					</nav>
					<p role="status"></p>
				</header>
				<main>${content}</main>
			</body>
		</html>`;
}
