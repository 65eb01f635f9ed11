import type { FailedAttempt } from './failure';

/**
 * The code and the message of an error's body, which the interface leaves open: `{ "code": …,
 * "message": … }`, or the same in `error`. Of any other body, the text is the message.
 * Interface: OPEN-16.
 */
export function parseServiceError(text: string): Pick<FailedAttempt, 'code' | 'message'> {
	const body = parseJson(text);
	const error = isRecord(body) && isRecord(body.error) ? body.error : body;
	const { code, message } = isRecord(error) ? error : {};
	return {
		code: isText(code) ? code : undefined,
		message: isText(message) ? message : describeText(text),
	};
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
