export interface ServiceError {
	/** The service's own code, e.g. `IDEMPOTENT_REPLAY`. */
	code?: string;
	message?: string;
}

/**
 * Error code and message of a response body, in the shapes that services commonly use: the interface
 * leaves the body of an error open. Without a message, the body's JSON is the message; of a web page
 * it is the title. Interface: OPEN-16.
 */
export function parseServiceError(text: string): ServiceError {
	const body = parseJson(text);
	if (!isRecord(body)) return { message: describeText(text) };
	const error = isRecord(body.error) ? body.error : body;
	const code = [error.code, body.code].find(isText);
	const message = [error.message, error.detail, body.message, error.title].find(isText);
	const list = Array.isArray(body.message) ? body.message : undefined;
	const details = error.errors ?? error.details ?? body.errors ?? list;
	const title = isText(body.error) && body.error !== code ? body.error : '';
	const words = [title, message, details && JSON.stringify(details)].filter(Boolean).join(': ');
	return { code, message: words || JSON.stringify(body) };
}

/** A text that isn't JSON; of a web page, its title. Undefined if it is empty. */
export function describeText(text: string): string | undefined {
	if (!isWebPage(text)) return text.trim() || undefined;
	const [, title = ''] = /<title[^>]*(?:>([^<]*)|$)/i.exec(text.slice(0, 10_000)) ?? [];
	return title.trim() ? `a web page titled “${title.trim()}”` : 'a web page';
}

export function isWebPage(text: string): boolean {
	return /^\s*<[a-z!?]/i.test(text);
}

/** How deep JSON may be nested: no record of a service comes near it. */
const maxDepth = 100;

/** The JSON value of a text; undefined for anything else and for JSON that is nested too deep. */
export function parseJson(text: string): unknown {
	try {
		const value = JSON.parse(text) as unknown;
		return isDeeperThan(maxDepth, value) ? undefined : value;
	} catch {
		return undefined;
	}
}

function isDeeperThan(depth: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
