import { convert } from 'html-to-text';

import type { Channel } from '../data/records.mts';
import type { Mode } from '../identity.mts';
import type { State } from '../state.mts';
import { invalid, refuse } from './errors.mts';
import type { SendRequest } from './schemas.mts';
import { isObject, render, type Variables } from './tokens.mts';

/** Bytes of UTF-8. */
const htmlLimit = 256 * 1024;

/** The rendered content of a message. */
export interface Content {
	channel: Channel;
	subject: string;
	html: string;
	text: string;
}

/**
 * Renders the content of a message, or rejects the request.
 *
 * Interface: SEND-3, SEND-8, SEND-10, SEND-11, SEND-12, SEND-13, SEND-14, SEND-15, SEND-16,
 * SEND-25, ERROR-1.
 * @throws ServiceError for the first rule that the request breaks
 */
export function compose(state: State, mode: Mode, request: SendRequest): Content {
	const { html, subject, ownChannelId } = sourceOf(state, mode, request);
	if (request.contactId && !state.contacts.find(mode, request.contactId)) {
		throw refuse(state.variants, 'CONTACT_NOT_FOUND', `There is no contact ${request.contactId}`);
	}
	const channel = channelFor(state, mode, request.channelId, ownChannelId);
	return { channel, ...rendered(state, request, html, subject) };
}

/** The unrendered body and subject: those of the template, or those of the request. */
function sourceOf(state: State, mode: Mode, request: SendRequest) {
	const { variants } = state;
	const { templateSlug, html, subject } = request;
	if (templateSlug !== undefined && html !== undefined) {
		throw invalid(variants, 'templateSlug and html are mutually exclusive: send one of them');
	}
	if (templateSlug !== undefined) {
		const template = state.records.template(mode, templateSlug);
		if (template) {
			const { html, channelId } = template;
			return { html, subject: subject ?? template.subject, ownChannelId: channelId };
		}
		throw refuse(state.variants, 'TEMPLATE_NOT_FOUND', `There is no template '${templateSlug}'`);
	}
	if (html === undefined) throw invalid(variants, 'Either templateSlug or html is required');
	if (subject === undefined) throw invalid(variants, 'html requires subject');
	if (Buffer.byteLength(html) > htmlLimit) {
		throw refuse(variants, 'HTML_TOO_LARGE', `html is larger than ${htmlLimit} bytes`);
	}
	return { html, subject, ownChannelId: null };
}

/** The channel a message goes through. Interface: WORK-3, SEND-21, SEND-22, SEND-23. */
function channelFor(
	state: State,
	mode: Mode,
	askedFor: string | undefined,
	ofTemplate: string | null,
): Channel {
	const channels = state.records.channels(mode);
	if (askedFor !== undefined) {
		const channel = channels.find(({ id }) => id === askedFor);
		if (!channel)
			throw refuse(state.variants, 'CHANNEL_NOT_FOUND', `There is no channel ${askedFor}`);
		if (channel.verified) return channel;
		const message = `The channel ${askedFor} is not verified`;
		throw refuse(state.variants, 'CHANNEL_NOT_VERIFIED', message);
	}
	const verified = channels.filter((channel) => channel.verified);
	const channel = verified.find(({ id }) => id === ofTemplate) ?? verified.at(0);
	if (channel) return channel;
	throw refuse(state.variants, 'NO_VERIFIED_CHANNEL', 'The workspace has no verified channel');
}

function rendered(state: State, request: SendRequest, htmlSource: string, subjectSource: string) {
	const { variants } = state;
	const variables: Variables = request.variables ?? {};
	const part = Object.keys(variables).find((name) => isObject(variables[name]));
	if (part) throw invalid(variants, `The variable ${part} has no text for a value`);
	const html = render(htmlSource, variables, 'html');
	const subject = render(subjectSource, variables, 'text');
	const text = render(request.text ?? '', variables, 'text');
	const missing = new Set([...html.missing, ...subject.missing, ...text.missing]);
	if (missing.size > 0) {
		const names = [...missing].join(', ');
		throw refuse(variants, 'MISSING_VARIABLES', `No value and no default for: ${names}`);
	}
	return {
		html: html.text,
		subject: subject.text,
		text: request.text === undefined ? textOf(html.text) : text.text,
	};
}

/** The library is recursive: without a limit, some hundred nested tables exhaust its stack. */
function textOf(html: string): string {
	return convert(html, { limits: { maxDepth: 200 } });
}
