import GithubSlugger from 'github-slugger';
import { lexer, Parser, walkTokens } from 'marked';

/** Documents are asked for once for each link that leads into them. */
const known = new Map<string, Set<string>>();

/** The anchors that GitHub gives to a Markdown document: of its headings, and those named in HTML. */
export function anchors(markdown: string): Set<string> {
	if (!known.has(markdown)) known.set(markdown, read(markdown));
	return known.get(markdown)!;
}

function read(markdown: string): Set<string> {
	const slugger = new GithubSlugger();
	const parser = new Parser();
	const found = new Set<string>();
	walkTokens(lexer(markdown), (token) => {
		if (token.type === 'heading') {
			found.add(slugger.slug(parser.parseInline(token.tokens!, parser.textRenderer)));
		}
		if (token.type !== 'html') return;
		for (const [, name] of token.raw.matchAll(/<\w[^>]*?\s(?:id|name)=["']?([^"'\s>]+)/g))
			found.add(name);
	});
	return found;
}
