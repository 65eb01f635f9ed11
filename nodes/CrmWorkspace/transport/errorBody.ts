/** What the service says of an error, in whatever shape it came. */
export interface ServiceError {
	/** Its own code, e.g. `IDEMPOTENT_REPLAY`. */
	code?: string;
	/** Its own words. */
	message?: string;
}

const longestMessage = 500;

/**
 * Finds the service's error code and message in an answer, in any of the shapes that services
 * use: the interface leaves the error body open. Text is taken as the message, an HTML page is
 * reduced to its title, and nothing longer than 500 characters is passed on.
 */
export function readServiceError(body: unknown): ServiceError {
	const { code, message } = typeof body === 'string' ? fromText(body) : fromValue(body);
	return { code, message: message === undefined ? undefined : shortened(message) };
}

function fromText(text: string): ServiceError {
	const trimmed = text.trim();
	if (trimmed === '') return {};
	if (!/^<(!doctype|html|\?xml)/i.test(trimmed)) return { message: trimmed };

	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(trimmed)?.[1].trim();
	return { message: title ? `a web page titled “${title}”` : 'a web page' };
}

function fromValue(value: unknown): ServiceError {
	if (typeof value === 'string') return { message: value };
	if (Array.isArray(value)) return fromList(value);
	if (!isRecord(value)) return {};

	const inner = fromValue(value.error ?? value.errors);
	return {
		code: inner.code ?? text(value.code),
		message: inner.message ?? text(value.message) ?? text(value.detail) ?? text(value.title),
	};
}

function fromList(values: unknown[]): ServiceError {
	const errors = values.map(fromValue);
	const messages = errors.flatMap(({ message }) => message ?? []);
	return {
		code: errors.find(({ code }) => code !== undefined)?.code,
		message: messages.length > 0 ? messages.join('; ') : undefined,
	};
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function shortened(message: string): string {
	return message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;
}
