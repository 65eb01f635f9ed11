import { shortened } from '../text/plainText';
import { asText } from './asText';

/** In characters. */
const maxShownLength = 60;

/** A text in quotes, as an error shows it. */
export function quoted(text: string): string {
	return `“${shortened(text, maxShownLength)}”`;
}

/** What a value is, in words that finish "It is …", however large it is. */
export function shownValue(value: unknown): string {
	if (typeof value === 'string') return quoted(value);
	if (value === undefined || value === null) return 'empty';
	const result = asText(value);
	return 'text' in result ? shortened(result.text, maxShownLength) : result.is;
}
