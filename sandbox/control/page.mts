import type { StoredMessage } from '../data/messages.mts';
import { escapeHtml } from '../escapeHtml.mts';
import { modes, type Mode } from '../identity.mts';
import { readingDefinitions, readingNames } from '../readings.mts';
import { stateOf } from '../service/presentation.mts';
import type { State } from '../state.mts';
import type { Introduction } from './plugin.mts';
import type { LoggedRequest } from './requestLog.mts';

/** Markup that is safe to stand in a page. */
class Markup {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
}

type Content = Markup | string | number | boolean | null | readonly Markup[];

/** Markup from a template in which everything that is not markup itself is escaped. */
function markup(literals: TemplateStringsArray, ...contents: Content[]): Markup {
	const parts = contents.map((content, index) => `${safe(content)}${literals[index + 1]}`);
	return new Markup(literals[0] + parts.join(''));
}

function safe(content: Content): string {
	if (content instanceof Markup) return content.text;
	if (Array.isArray(content)) return content.map(safe).join('');
	return escapeHtml(String(content ?? ''));
}

const style = markup`<style>
	body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
	body { color: #222; background: #fafafa }
	h1 { font-size: 1.4rem }
	h2 { font-size: 1.1rem; margin-top: 2rem }
	table { border-collapse: collapse; width: 100%; background: #fff }
	td, th { text-align: left; padding: .3rem .6rem; vertical-align: top }
	td, th { border-bottom: 1px solid #e4e4e4 }
	details { background: #fff; border: 1px solid #e4e4e4; border-radius: 6px }
	details { margin: .5rem 0; padding: .5rem .8rem }
	summary { cursor: pointer }
	iframe { width: 100%; height: 16rem; border: 1px solid #e4e4e4 }
	pre { white-space: pre-wrap }
	.quiet { color: #777 }
	.changed { background: #fff6d6 }
</style>`;

/** The page for people: what arrived, what was asked of the service, and how it behaves. */
export function inboxPage(state: State, { baseUrl, controlUrl }: Introduction): string {
	return markup`<!DOCTYPE html>
<html lang="en">
<head>
	<meta charset="utf-8">
	<title>Sandbox inbox</title>
	<meta http-equiv="Content-Security-Policy"
		content="default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'">
	${style}
</head>
<body>
	<h1>Sandbox of the CRM workspace</h1>
	<p>The service is at <code>${baseUrl}</code>, its controls are at <code>${controlUrl}</code>.
	Its clock shows ${state.clock.timestamp()}. Load the page again to see what is new.</p>
	${modes.map((mode) => inboxPart(state, mode))}
	${requestsPart(state)}
	${readingsPart(state)}
</body>
</html>`.text;
}

function inboxPart(state: State, mode: Mode): Markup {
	const mails = state.messages.inbox(mode).reverse();
	const newest = mails.slice(0, 100).map((mail) => mailPart(mail, state.clock.now()));
	return markup`<h2>Inbox, ${mode} data: ${mails.length} delivered</h2>${newest}`;
}

function mailPart(mail: StoredMessage, now: number): Markup {
	return markup`
	<details>
		<summary><b>${mail.subject}</b> to ${mail.to}
			<span class="quiet">from ${mail.fromName} &lt;${mail.from}&gt;,
			${new Date(mail.createdAt).toISOString()}, ${stateOf(mail, now)}</span></summary>
		<iframe sandbox srcdoc="${mail.html}" title="${mail.subject}"></iframe>
		<pre>${mail.text}</pre>
		<p class="quiet">Message ${mail.id}, idempotency key ${mail.idempotencyKey ?? 'none'}</p>
	</details>`;
}

function requestsPart(state: State): Markup {
	const requests = state.requests.all();
	const rows = requests.slice(-50).reverse().map(requestRow);
	return markup`<h2>Requests: ${requests.length}</h2>
	<table>
		<tr><th>At</th><th>Key</th><th>Request</th><th>Query</th><th>Answer</th></tr>
		${rows}
	</table>`;
}

function requestRow({ at, key, method, path, query, status, fault }: LoggedRequest): Markup {
	return markup`
		<tr><td>${at}</td><td>${key}</td><td>${method} ${path}</td>
		<td>${JSON.stringify(query)}</td><td>${status ?? 'no answer'} ${fault ?? ''}</td></tr>`;
}

function readingsPart(state: State): Markup {
	const rows = readingNames.map((name) => {
		const { allowed, meaning } = readingDefinitions[name];
		const value = state.readings[name];
		return markup`
		<tr class="${value === allowed[0] ? '' : 'changed'}"><td><code>${name}</code></td>
		<td><code>${value}</code></td><td>${meaning}</td></tr>`;
	});
	return markup`<h2>Readings</h2><table>${rows}</table>`;
}
