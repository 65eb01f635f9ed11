import { lexer, type Token } from 'marked';

/**
 * What CHANGELOG.md says of a version: the text below its heading, `## [1.2.3] - 2026-01-31`, in the
 * form of Keep a Changelog.
 *
 * @returns undefined when there is no such heading with a date, or nothing below it
 */
export function sectionOf(changelog: string, version: string): string | undefined {
	const tokens = lexer(changelog);
	const isSection = (token: Token) => token.type === 'heading' && token.depth <= 2;
	const isWanted = ({ raw }: Token) =>
		raw.startsWith(`## [${version}] - `) && /\] - \d{4}-\d{2}-\d{2}\s*$/.test(raw);
	const start = tokens.findIndex((token) => isSection(token) && isWanted(token));
	if (start === -1) return undefined;
	const end = tokens.findIndex((token, index) => index > start && isSection(token));
	const text = tokens.slice(start + 1, end === -1 ? undefined : end).map(({ raw }) => raw);
	return text.join('').trim() || undefined;
}
