/** An address in a text, without the punctuation that ends its sentence. */
const link = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'()[\]])/;

/** HTML that looks like a text: its lines, spaces and signs are kept, and addresses are links. */
export function textToHtml(text: string): string {
	const parts = text.replace(/\r\n?/g, '\n').split(link);
	const html = parts.map((part, at) => {
		const escaped = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
		return at % 2 === 1 ? `<a href="${escaped}">${escaped}</a>` : escaped;
	});
	return html.join('').replaceAll('  ', '&nbsp; ').replaceAll('\n', '<br>\n');
}
