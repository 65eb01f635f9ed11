import { load } from 'cheerio';
import GithubSlugger from 'github-slugger';
import { lexer, parser, parseInline, walkTokens } from 'marked';

/** Documents are asked for once for each link that leads into them. */
const known = new Map<string, Set<string>>();

/** The anchors that GitHub gives to a Markdown document: of its headings, and those named in HTML. */
export function anchors(markdown: string): Set<string> {
	if (!known.has(markdown)) known.set(markdown, read(markdown));
	return known.get(markdown)!;
}

function read(markdown: string): Set<string> {
	const tokens = lexer(markdown);
	const slugger = new GithubSlugger();
	const found = new Set<string>();
	walkTokens(tokens, (token) => {
		if (token.type !== 'heading') return;
		found.add(slugger.slug(load(parseInline(token.text) as string).text()));
	});
	const page = load(parser(tokens));
	page('[id], a[name]').each((_index, { attribs }) => void found.add(attribs.id ?? attribs.name));
	return found;
}
