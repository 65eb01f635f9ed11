/** Packs rows of a fixed number of bytes, given as hexadecimal digits, into one base64 text. */
export function pack(rows: string[]): string {
	return Buffer.from(rows.join(''), 'hex').toString('base64');
}

/**
 * Unpacks what `pack` has made: rows of hexadecimal digits.
 * @param bytes of each row
 * @throws UnreadableState when the text is not made of such rows
 */
export function unpack(text: unknown, bytes: number): string[] {
	const packed = typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
	if (!packed || packed.length % bytes !== 0) throw new UnreadableState();
	const digits = packed.toString('hex');
	return Array.from({ length: packed.length / bytes }, (_, row) =>
		digits.slice(2 * bytes * row, 2 * bytes * (row + 1)),
	);
}

/**
 * A number from 0 on as hexadecimal digits; one that is too great becomes the greatest possible.
 */
export function digitsOf(number: number, bytes: number): string {
	const greatest = 256 ** bytes - 1;
	return Math.max(0, Math.min(greatest, Math.floor(number)))
		.toString(16)
		.padStart(2 * bytes, '0');
}

/** Thrown when what n8n has stored is not what this node stores. */
export class UnreadableState extends Error {}
