import { asText } from './asText';

/** The most characters of a value that are shown. */
const shownLength = 60;

/** A text as an error shows it: its beginning if it is long. */
export function shortened(text: string): string {
	return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** The same in quotes. */
export function quoted(text: string): string {
	return `“${shortened(text)}”`;
}

/** What a value is, in words that finish "It is …", however large it is. */
export function shown(value: unknown): string {
	if (typeof value === 'string') return quoted(value);
	if (value === undefined || value === null) return 'empty';
	const reading = asText(value);
	return 'text' in reading ? shortened(reading.text) : reading.is;
}
