import { convert } from 'html-to-text';

import type { Channel } from '../data/records.mts';
import type { Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import type { State } from '../state.mts';
import { invalid, ServiceError } from './errors.mts';
import type { SendRequest } from './schemas.mts';
import { isObject, render, type Variables } from './tokens.mts';

/** What a send amounts to, before anything is sent. */
export interface Content {
	channel: Channel;
	subject: string;
	html: string;
	text: string;
}

/**
 * Works out the content of a send, or refuses it.
 *
 * Interface: SEND-3, SEND-8, SEND-10, SEND-11, SEND-12, SEND-13, SEND-14, SEND-15, SEND-16,
 * SEND-25, ERROR-1.
 * @throws ServiceError for the first rule that the request breaks
 */
export function compose(state: State, mode: Mode, request: SendRequest): Content {
	const { html, subject, ownChannelId } = sourceOf(state, mode, request);
	if (request.contactId && !state.contacts.find(mode, request.contactId)) {
		throw unknown(state, 'CONTACT_NOT_FOUND', `There is no contact ${request.contactId}`);
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
		throw unknown(state, 'TEMPLATE_NOT_FOUND', `There is no template '${templateSlug}'`);
	}
	if (html === undefined) throw invalid(variants, 'Either templateSlug or html is required');
	if (subject === undefined) throw invalid(variants, 'html requires subject');
	if (Buffer.byteLength(html) > variants.htmlLimitBytes) {
		const message = `html is larger than ${variants.htmlLimitBytes} bytes`;
		throw new ServiceError(variants.htmlLimitStatus, 'HTML_TOO_LARGE', message);
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
		if (!channel) throw unknown(state, 'CHANNEL_NOT_FOUND', `There is no channel ${askedFor}`);
		if (channel.verified) return channel;
		const message = `The channel ${askedFor} is not verified`;
		throw new ServiceError(state.variants.validationStatus, 'CHANNEL_NOT_VERIFIED', message);
	}
	const verified = channels.filter((channel) => channel.verified);
	const channel = verified.find(({ id }) => id === ofTemplate) ?? verified.at(0);
	if (channel) return channel;
	throw new ServiceError(
		state.variants.validationStatus,
		'NO_VERIFIED_CHANNEL',
		'The workspace has no verified channel',
	);
}

function rendered(state: State, request: SendRequest, htmlSource: string, subjectSource: string) {
	const { variants } = state;
	const variables = request.variables ?? {};
	checkVariables(variants, variables);
	const html = render(htmlSource, variables, 'html', variants);
	const subject = render(subjectSource, variables, 'text', variants);
	const text = render(request.text ?? '', variables, 'text', variants);
	const missing = new Set([...html.missing, ...subject.missing, ...text.missing]);
	if (missing.size > 0) {
		throw new ServiceError(
			variants.missingTokenStatus,
			'MISSING_VARIABLES',
			`No value and no default for: ${[...missing].join(', ')}`,
		);
	}
	return {
		html: html.text,
		subject: subject.text,
		text: request.text === undefined ? textOf(html.text) : text.text,
	};
}

/** The library goes down by recursion: without a limit, some hundreds of tables exhaust its stack. */
function textOf(html: string): string {
	return convert(html, { limits: { maxDepth: 200 } });
}

function checkVariables(variants: Variants, variables: Variables): void {
	for (const [name, value] of Object.entries(variables)) {
		const isRefused =
			(isObject(value) && variants.variableParts === 'rejected') ||
			(value === null && variants.nullVariables === 'rejected');
		if (isRefused) throw invalid(variants, `The variable ${name} has no text for a value`);
	}
}

function unknown(state: State, code: string, message: string): ServiceError {
	return new ServiceError(state.variants.unknownReferenceStatus, code, message);
}
