import { trim } from '../text/plainText';

/**
 * A text without the API key, which an error response may repeat: as it is, in any case,
 * percent-encoded, or escaped as in JSON, however often.
 */
export function redact(text: string, apiKey: string): string {
	const codes = [...trim(apiKey)].map((sign) => sign.charCodeAt(0).toString(16));
	const signs = codes.map((hex) => `(?:\\x${hex}|%${hex}|\\\\{1,8}(?:\\x${hex}|u00${hex}))`);
	return text.replace(new RegExp(signs.join(''), 'gi'), '[API key]');
}
