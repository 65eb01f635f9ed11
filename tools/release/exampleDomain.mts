/** Whether a text has a domain that is reserved for examples, as an address of a page or for mail. */
export function hasExampleDomain(text: string): boolean {
	return /\bexample\.(com|org|net|edu)\b|\.example\b/i.test(text);
}
