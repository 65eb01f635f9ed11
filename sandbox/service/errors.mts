import { escapeHtml } from '../escapeHtml.mts';
import type { Variants } from '../variants.mts';

/** A rejected request. */
export class ServiceError extends Error {
	/** As Fastify names it. */
	readonly statusCode: number;
	readonly code: string;
	readonly headers: Record<string, string>;

	constructor(statusCode: number, code: string, message: string, headers = {}) {
		super(message);
		this.statusCode = statusCode;
		this.code = code;
		this.headers = headers;
	}
}

/** The statuses of rejected requests, under each variant. Interface: OPEN-14, OPEN-15, OPEN-17. */
const statuses: Record<string, Record<Variants['refusals'], number>> = {
	UNAUTHORIZED: { usual: 401, other: 403 },
	VALIDATION_ERROR: { usual: 400, other: 422 },
	CHANNEL_NOT_VERIFIED: { usual: 400, other: 422 },
	NO_VERIFIED_CHANNEL: { usual: 400, other: 422 },
	MISSING_VARIABLES: { usual: 400, other: 422 },
	TEMPLATE_NOT_FOUND: { usual: 404, other: 422 },
	CHANNEL_NOT_FOUND: { usual: 404, other: 422 },
	CONTACT_NOT_FOUND: { usual: 404, other: 400 },
	EMAIL_TAKEN: { usual: 409, other: 422 },
	HTML_TOO_LARGE: { usual: 413, other: 400 },
	SEND_FAILED: { usual: 502, other: 422 },
};

/** The error of a rejected request, with the status of the variant. */
export function refuse({ refusals }: Variants, code: string, message: string): ServiceError {
	return new ServiceError(statuses[code][refusals], code, message);
}

/** The error for a field that breaks a rule. */
export function invalid(variants: Variants, message: string): ServiceError {
	return refuse(variants, 'VALIDATION_ERROR', message);
}

/** A response. */
export interface Answer {
	contentType: string | undefined;
	body: string;
}

/**
 * Writes an error in the shape of the variant. Each shape except the empty one has the code.
 * Interface: OPEN-16.
 */
export function errorAnswer(error: ServiceError, variants: Variants): Answer {
	const { statusCode, code, message } = error;
	switch (variants.errorBody) {
		case 'nested':
			return json({ error: { code, message } });
		case 'flat':
			return json({ code, message });
		case 'html': {
			const body = errorPage(statusCode, `${code}: ${message}`);
			return { contentType: 'text/html; charset=utf-8', body };
		}
		case 'empty':
			return { contentType: undefined, body: '' };
	}
}

function json(value: unknown): Answer {
	return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

function errorPage(status: number, line: string): string {
	return [
		'<!DOCTYPE html>',
		`<html><head><title>Error ${status}</title><style>body { font-family: sans-serif }</style></head>`,
		`<body><h1>Error ${status}</h1><p>${escapeHtml(line)}</p></body></html>`,
	].join('\n');
}
