/** Every form in which a key can stand in a text: plain, URL-encoded, and in base64. */
export function formsOf(key: string): string[] {
	const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
	const encoded = [/[^a-z0-9]/gi, /./g].map((signs) => key.replace(signs, percent));
	const upperCase = [encodeURIComponent(key), ...encoded];
	const lowerCase = upperCase.map((text) => text.replace(/%../g, (hex) => hex.toLowerCase()));
	const base64 = [0, 1, 2].map((bytesBefore) => base64Of(key, bytesBefore));
	const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
	return [...new Set([key, ...upperCase, ...lowerCase, ...base64, ...urlSafe])];
}

/**
 * What is the same in the base64 of every text that has the key after so many bytes: three bytes
 * make four signs, and a sign at either end that holds bits of something else is left out.
 */
function base64Of(key: string, bytesBefore: number): string {
	const bytes = Buffer.from('\0'.repeat(bytesBefore) + key);
	const first = Math.ceil((bytesBefore * 8) / 6);
	const end = Math.floor((bytes.length * 8) / 6);
	return bytes.toString('base64').slice(first, end);
}
