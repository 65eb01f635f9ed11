import { lexer, walkTokens, type Token } from 'marked';

/** Where a Markdown document leads, or takes a picture from. */
export interface Reference {
	kind: 'link' | 'picture';
	/** As the document has it: an address, or a path relative to the document. */
	target: string;
	/** What stands in for a picture that is not seen; undefined where none is needed. */
	alternative?: string;
	/** Where the target stands in the document, in characters. */
	start: number;
	end: number;
}

/**
 * Every link and picture of a Markdown document, those of HTML in it included, in the order in
 * which they stand there. What stands in code is none.
 *
 * @throws an Error for a picture whose address is not in its place, but in a definition
 */
export function references(markdown: string): Reference[] {
	const found: Reference[] = [];
	// Tokens do not say where they stand, but come in the document's order.
	let cursor = 0;
	walkTokens(lexer(markdown), (token) => {
		const start = markdown.indexOf(token.raw, cursor);
		if (token.type === 'code' || token.type === 'codespan') {
			if (start !== -1) cursor = start + token.raw.length;
			return;
		}
		const ofToken = referencesOf(token);
		if (ofToken.length === 0) return;
		if (start === -1) throw new Error(`cannot be found in the document: ${token.raw}`);
		for (const one of ofToken) {
			found.push({ ...one, start: one.start + start, end: one.end + start });
		}
		// Only a step further: a link can hold a picture.
		cursor = token.type === 'html' ? start + token.raw.length : start + 1;
	});
	return found.sort((one, other) => one.start - other.start);
}

/** Those of one token, as they stand in its text. */
function referencesOf(token: Token): Reference[] {
	if (token.type === 'html') return tagsOf(token.raw);
	if (token.type !== 'link' && token.type !== 'image' && token.type !== 'def') return [];
	const { raw, href: target } = token;
	const last = raw.lastIndexOf(target);
	if (last === -1 && token.type === 'image') throw new Error(`address not in its place: ${raw}`);
	// The definition of what this link names is a token of its own.
	if (last === -1 && isRelative(target)) return [];
	const place = last === -1 ? { start: 0, end: raw.length } : at(last, target);
	return token.type === 'image'
		? [{ kind: 'picture', target, alternative: token.text, ...place }]
		: [{ kind: 'link', target, ...place }];
}

/** The `href`, `src` and `srcset` of HTML's tags. */
function tagsOf(html: string): Reference[] {
	return [...html.matchAll(/<(\w+)\b[^>]*>/g)].flatMap(({ 0: tag, 1: name, index }) => {
		const alternative = name === 'img' ? (attributeOf(tag, 'alt')?.value ?? '') : undefined;
		const of = (attribute: string) => attributeOf(tag, attribute, index);
		const pictures = [of('src'), ...candidates(of('srcset'))].filter((one) => one !== undefined);
		const link = of('href');
		return [
			...(link
				? [{ kind: 'link' as const, target: link.value, ...at(link.start, link.value) }]
				: []),
			...pictures.map(({ value, start }) => ({
				kind: 'picture' as const,
				target: value,
				alternative,
				...at(start, value),
			})),
		];
	});
}

interface Attribute {
	value: string;
	start: number;
}

function attributeOf(tag: string, name: string, offset = 0): Attribute | undefined {
	const found = new RegExp(`\\s${name}\\s*=\\s*(["'])(.*?)\\1`, 's').exec(tag);
	if (!found) return undefined;
	const [all, , value] = found;
	return { value, start: offset + found.index + all.length - 1 - value.length };
}

/** The addresses of a `srcset`, which has a size after each. */
function candidates(srcset: Attribute | undefined): Attribute[] {
	if (!srcset) return [];
	return [...srcset.value.matchAll(/([^\s,]+)(\s+[^,]*)?/g)].map(({ 1: value, index }) => ({
		value,
		start: srcset.start + index,
	}));
}

function at(start: number, target: string): { start: number; end: number } {
	return { start, end: start + target.length };
}

/** Whether a target is a file of the repository: no address, and no anchor of the document itself. */
export function isRelative(target: string): boolean {
	return !/^([a-z][a-z\d+.-]*:|\/\/|#)/i.test(target);
}
