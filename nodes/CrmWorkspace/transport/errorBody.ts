/** What the service says of an error, in whatever shape it came. */
export interface ServiceError {
	/** Its own code, e.g. `IDEMPOTENT_REPLAY`. */
	code?: string;
	/** Its own words. */
	message?: string;
}

/** A reading of a part of a body. */
interface Finding extends ServiceError {
	/** A code that is not only mentioned in a text, but has a place of its own or begins one. */
	statedCode?: string;
}

const longestMessage = 500;

/** How far into a body errors are looked for: beyond this it is no answer but an attack. */
const deepest = 20;

/** A code at the beginning of a text, like `RATE_LIMITED: `, `UNAUTHORIZED: ` or `not_found: `. */
const leading = /^([A-Z][A-Z\d]{2,}|[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+):\s*/;

/** A code that a text mentions: several words in capitals, joined. */
const anywhere = /\b[A-Z]+(_[A-Z\d]+)+\b/;

/**
 * Finds the service's error code and message in an answer, in any of the shapes that services
 * use: the interface leaves the error body open. Of an HTML page only the title is taken, and
 * nothing longer than 500 characters is passed on.
 * @param body parsed JSON, or the text of a body that is not JSON
 */
export function readServiceError(body: unknown): ServiceError {
	const { code, message } = finding(body);
	return { code, message: message && shortened(message) };
}

/** The code for which a body has a place of its own, or with which its text begins. */
export function statedCode(body: unknown): string | undefined {
	return finding(body).statedCode;
}

function finding(body: unknown): Finding {
	return typeof body === 'string' ? fromText(body) : fromValue(body);
}

function fromText(text: string): Finding {
	const trimmed = text.trim();
	const [beginning, leadingCode] = leading.exec(trimmed) ?? ['', undefined];
	const mentioned = anywhere.exec(trimmed)?.[0];
	const code = leadingCode ?? mentioned;
	const statedCode = leadingCode ?? (mentioned === trimmed ? mentioned : undefined);
	if (isWebPage(trimmed)) return { code, statedCode, message: describedPage(trimmed) };
	return { code, statedCode, message: trimmed.slice(beginning.length) || undefined };
}

function fromValue(value: unknown, depth = 0): Finding {
	if (typeof value === 'string') return fromText(value);
	if (!isRecord(value) || depth > deepest) return {};
	if (Array.isArray(value)) return joined(value.map((one) => fromValue(one, depth + 1)));

	const { error, errors, code, message, detail, title } = value;
	const isByField = isRecord(errors) && !Array.isArray(errors);
	const inner = isByField ? byField(errors, depth + 1) : fromValue(error ?? errors, depth + 1);
	return {
		code: inner.code ?? written(code),
		statedCode: inner.statedCode ?? written(code),
		message: written(message) ?? inner.message ?? written(detail) ?? written(title),
	};
}

/** Lists of words by the field that they are about. */
function byField(errors: Record<string, unknown>, depth: number): Finding {
	return joined(
		Object.entries(errors).map(([field, words]) => {
			const { message, ...codes } = fromValue(words, depth);
			return { ...codes, message: message && `${field} ${message}` };
		}),
	);
}

function joined(errors: Finding[]): Finding {
	return {
		code: errors.find(({ code }) => code !== undefined)?.code,
		statedCode: errors.find(({ statedCode }) => statedCode !== undefined)?.statedCode,
		message: errors.flatMap(({ message }) => message ?? []).join('; ') || undefined,
	};
}

/** Whether a text is an HTML page. */
function isWebPage(text: string): boolean {
	return /^\s*<(!doctype|html)/i.test(text);
}

/** An HTML page, or a piece of one, in a few words. */
export function describedPage(html: string): string {
	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1].trim();
	return title ? `a web page titled “${shortened(title)}”` : 'a web page';
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function written(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** At most 500 characters of a text. */
export function shortened(text: string): string {
	return text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`;
}
