import { escapeHtml } from '../escapeHtml.mts';
import type { Variants } from '../variants.mts';
import { frameworkBody } from './frameworkErrors.mts';

/** A request the service refuses. Its message is written for the person who reads it. */
export class ServiceError extends Error {
	readonly status: number;
	readonly code: string;
	readonly headers: Record<string, string>;

	constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.headers = headers;
	}
}

/** A field breaks a rule. Interface: OPEN-17. */
export function invalid(variants: Variants, message: string): ServiceError {
	return new ServiceError(variants.validationStatus, 'VALIDATION_ERROR', message);
}

/** A response that is ready to be written. */
export interface Answer {
	contentType: string | undefined;
	body: string;
}

/** The codes that are the same under every variant. Interface: ERROR-3. */
const namedCodes = ['IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'];

/**
 * Writes an error in the shape a variant asks for. The code is in every shape that is not empty,
 * unless codes are absent. Interface: OPEN-16.
 */
export function errorAnswer(error: ServiceError, variants: Variants): Answer {
	const { message } = error;
	const code = writtenCode(error.code, variants.errorCodes);
	const line = code ? `${code}: ${message}` : message;
	switch (variants.errorBody) {
		case 'nested':
			return json({ error: { code, message } });
		case 'flat':
			return json({ code, message });
		case 'string':
			return json({ error: line });
		case 'array':
			return json({ errors: [{ code, message }] });
		case 'problem':
			return {
				...json({
					type: 'about:blank',
					title: message,
					status: error.status,
					detail: message,
					code,
				}),
				contentType: 'application/problem+json',
			};
		case 'text':
			return { contentType: 'text/plain; charset=utf-8', body: line };
		case 'html':
			return { contentType: 'text/html; charset=utf-8', body: errorPage(error.status, line) };
		case 'empty':
			return { contentType: undefined, body: '' };
		default:
			return json(frameworkBody(variants.errorBody, { status: error.status, code, message, line }));
	}
}

function json(value: unknown): Answer {
	return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

function writtenCode(code: string, writing: Variants['errorCodes']): string | undefined {
	if (namedCodes.includes(code) || writing === 'upperCase') return code;
	return writing === 'lowerCase' ? code.toLowerCase() : undefined;
}

function errorPage(status: number, line: string): string {
	return [
		'<!DOCTYPE html>',
		`<html><head><title>Error ${status}</title><style>body { font-family: sans-serif }</style></head>`,
		`<body><h1>Error ${status}</h1><p>${escapeHtml(line)}</p></body></html>`,
	].join('\n');
}
