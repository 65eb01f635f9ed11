import { shown } from '../control/observations.mts';
import type { LoggedRequest } from '../control/requestLog.mts';
import type { StoredMessage } from '../data/messages.mts';
import type { Mode } from '../identity.mts';
import { stateOf } from '../service/presentation.mts';
import type { State } from '../state.mts';
import { html, type Html } from './html.mts';
import {
	badge,
	block,
	contains,
	facts,
	foreign,
	linkTo,
	most,
	panes,
	time,
	type Shown,
} from './parts.mts';
import { outcome, statusBadge } from './requests.mts';

/** Messages, the newest first. */
export function showInbox({ state, place }: Shown): Html {
	const now = state.clock.now();
	const matches = state.messages.all(place.mode).filter((message) => {
		const { to, subject, idempotencyKey } = message;
		return contains([to, subject, idempotencyKey, stateOf(message, now)], place);
	});
	const opened = state.messages.find(place.mode, place.open);
	return panes({
		place,
		title: 'Messages',
		entries: matches.reverse(),
		totalCount: matches.length,
		idOf: ({ id }) => id,
		row: (message) => {
			const { to, subject, createdAt } = shown(state, message);
			return html`<strong>${foreign(to)}</strong> ${stateBadge(stateOf(message, now))}<br />
				${foreign(subject)} ${time(createdAt!)}`;
		},
		detail: opened && messageDetail(state, place.mode, opened),
	});
}

const kinds = { delivered: 'good', bounced: 'bad', rejected: 'bad', failed: 'bad' } as const;

function stateBadge(state: string): Html {
	return badge(state, kinds[state as keyof typeof kinds] ?? '');
}

function messageDetail(state: State, mode: Mode, opened: StoredMessage): Html {
	const message = shown(state, opened);
	const { id, to, from, fromName, contactId, idempotencyKey: key } = message;
	const requests = state.requests.all().filter((request) => concerns(request, mode, opened));
	const contact = contactId && linkTo({ view: 'contacts', mode, open: contactId });
	return html`<h2>${foreign(message.subject)}</h2>
		${facts(id, [
			['State', stateBadge(message.state)],
			['To', foreign(to)],
			['From', html`${foreign(fromName)} &lt;${foreign(from)}&gt;`],
			['Reply to', message.replyTo && foreign(message.replyTo)],
			['Template', message.templateSlug && foreign(message.templateSlug)],
			['Contact', contact && html`<a href="${contact}">Open</a>`],
			['Error', message.error && foreign(`${message.error}: ${message.errorReason}`)],
			['ID', html`<code>${id}</code>`],
			['Idempotency key', key && html`<code>${foreign(key)}</code>`],
			['Progress', progress(message, state.clock.timestamp())],
			['Requests', requests.slice(0, most).map((request) => requestLine(request, mode))],
		])}
		<iframe sandbox src="/_sandbox/messages/${id}/html?mode=${mode}" title="Content"></iframe>
		${block('Plain text', message.text)} ${block('Source', message.html)}`;
}

/** Whether a request sent a message, or carried its key. */
function concerns({ message, key, body }: LoggedRequest, mode: Mode, sent: StoredMessage): boolean {
	const { id, idempotencyKey } = sent;
	const carriesKey = idempotencyKey !== null && Object(body).idempotencyKey === idempotencyKey;
	return message === id || (key === mode && carriesKey);
}

/** The states that a message has reached. */
function progress(message: ReturnType<typeof shown>, now: string): Html[] {
	const { createdAt: created, sentAt: sent, deliveredAt: delivered } = message;
	const { bouncedAt: bounced, complainedAt: complained } = message;
	const steps = Object.entries({ created, sent, delivered, bounced, complained });
	return steps.flatMap(([name, at]) =>
		at !== null && at <= now ? [html`<span>${name} ${time(at)}</span> `] : [],
	);
}

function requestLine(request: LoggedRequest, mode: Mode): Html {
	const link = linkTo({ view: 'requests', mode, open: String(request.number) });
	return html`<a href="${link}">Request ${request.number}</a> ${statusBadge(request)}
		${outcome(request)} ${time(request.at)}<br />`;
}
