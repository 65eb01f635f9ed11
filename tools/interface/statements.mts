/** A numbered statement of docs/interface.md. */
export interface Statement {
	/** Such as `SEND-4`. */
	id: string;
	/** In Markdown. */
	text: string;
}

/** The statements under one heading. */
export interface Group {
	heading: string;
	statements: Statement[];
}

/** How an id is written, here and wherever one is cited. */
export const idPattern = /[A-Z]+-\d+/;

/**
 * Reads the statements of docs/interface.md.
 * @param markdown a heading `## …` for each group, and below it a line `- **SEND-4** …` for each statement
 * @throws Error for an id that two statements have
 */
export function groupsIn(markdown: string): Group[] {
	const groups: Group[] = [];
	const known = new Set<string>();
	for (const line of markdown.split('\n')) {
		if (line.startsWith('## ')) groups.push({ heading: line.slice(3), statements: [] });
		const [, id, text] = statementLine.exec(line) ?? [];
		if (!id) continue;
		if (known.has(id)) throw new Error(`${id} is the id of two statements`);
		known.add(id);
		groups.at(-1)!.statements.push({ id, text });
	}
	return groups.filter(({ statements }) => statements.length > 0);
}

const statementLine = new RegExp(`^- \\*\\*(${idPattern.source})\\*\\* (.+)$`);
