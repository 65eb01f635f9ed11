import type { FailedAttempt } from '../transport/errors/failure';
import { statedCode } from '../transport/errors/serviceError';
import { isMarkup, withoutScripts } from '../transport/errors/webPage';

/** The codes that the interface names. Interface: KEY-3, KEY-6, ERROR-3. */
export const errorCodes = {
	/** The original send with this key failed; nothing was delivered. */
	originalFailed: 'IDEMPOTENT_REPLAY',
	/** The key was used for another recipient, subject or body. */
	keyReused: 'IDEMPOTENCY_KEY_REUSED',
} as const;

/**
 * The code by which a conflict is judged; undefined when there is none, or no telling which. A code
 * of the interface is found wherever it stands, as a whole word in any case, but not in what a web
 * page only tells its browser. When the body has both, only the one in the field for codes is it:
 * the other is part of an explanation.
 */
export function conflictCode({ code, body = '' }: FailedAttempt): string | undefined {
	const codes = codesIn(typeof body === 'string' ? body : JSON.stringify(body));
	if (codes.length === 0) return code;
	const stated = statedCode(body)?.toUpperCase();
	return codes.length === 1 ? codes[0] : codes.find((one) => one === stated);
}

function codesIn(text: string): string[] {
	const plain = isMarkup(text) ? withoutScripts(text) : unescaped(text);
	return Object.values(errorCodes).filter((code) => new RegExp(`\\b${code}\\b`, 'i').test(plain));
}

/** A text with what JSON escapes written out; its line breaks, tabs and quotes become spaces. */
function unescaped(json: string): string {
	return json.replace(/\\+(?:u([\da-fA-F]{4})|[bfnrt"/\\])/g, (_escape, hex?: string) =>
		hex ? String.fromCharCode(parseInt(hex, 16)) : ' ',
	);
}
