import * as ts from 'typescript';

/** How the id of a statement is written. */
export const idPattern = /[A-Z]+-\d+/;

/** A comment that cites statements, and what it stands above. */
export interface Citation {
	ids: string[];
	/** From the root of the project. */
	file: string;
	/** The title of a test with those of its groups, or the name of a declaration. */
	name: string;
	isTest: boolean;
}

/** `Interface: SEND-4, KEY-2.`, which may go over several lines of a comment. */
const citing = new RegExp(
	`Interface: (${idPattern.source}(?:,[\\s*/]+${idPattern.source})*)\\.`,
	'g',
);
const beginsLikeOne = new RegExp(`[Ii]nterface:? ${idPattern.source}`, 'g');

/**
 * Finds the citations of a source file.
 * @param file its path, from the root of the project
 * @param text what is in it
 * @throws Error for one in another form, and for one above what is neither a test nor named
 */
export function citationsIn(file: string, text: string): Citation[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const citations: Citation[] = [];
	const read = new Set<number>();
	visit(source);
	return citations;

	function visit(node: ts.Node): void {
		if (!isOnlyAround(node)) {
			const unread = commentsAt(text, node.pos).filter(
				({ pos }) => !read.has(pos) && read.add(pos),
			);
			const ids = idsIn(unread.map(({ pos, end }) => text.slice(pos, end)).join('\n'), file);
			if (ids.length > 0) citations.push({ ids, file, ...above(node, source) });
		}
		for (const child of node.getChildren(source)) visit(child);
	}
}

/** Whether a node begins where its first part does, and only the part has a name. */
function isOnlyAround(node: ts.Node): boolean {
	return ts.isSourceFile(node) || node.kind === ts.SyntaxKind.SyntaxList || ts.isJSDoc(node);
}

/** The comments before what begins at a position, also those that end the line before it. */
function commentsAt(text: string, position: number): ts.CommentRange[] {
	return [
		...(ts.getTrailingCommentRanges(text, position) ?? []),
		...(ts.getLeadingCommentRanges(text, position) ?? []),
	];
}

function idsIn(comments: string, file: string): string[] {
	const found = [...comments.matchAll(citing)];
	if (found.length < [...comments.matchAll(beginsLikeOne)].length) {
		throw new Error(`${file} cites in another form than 'Interface: SEND-4, KEY-2.': ${comments}`);
	}
	return found.flatMap(([, ids]) => ids.split(/,[\s*/]+/));
}

/** What a comment stands above. */
function above(node: ts.Node, source: ts.SourceFile): Pick<Citation, 'name' | 'isTest'> {
	const title = titleOf(node, source);
	const name = title ?? nameOf(node, source);
	if (!name) {
		const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
		throw new Error(
			`${source.fileName}:${line + 1} is neither a test nor named, and has a citation`,
		);
	}
	const names = [name];
	for (let outer = node.parent; outer; outer = outer.parent) {
		const further = title ? titleOf(outer, source) : nameOf(outer, source);
		if (further) names.unshift(further);
	}
	return { name: names.join(title ? ' › ' : '.'), isTest: title !== undefined };
}

/** What `test`, `it`, `describe` and what is made of them are given first, if a node calls one. */
function titleOf(node: ts.Node, source: ts.SourceFile): string | undefined {
	if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return undefined;
	const [title] = node.expression.arguments;
	let called: ts.Expression = node.expression;
	while (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) {
		called = called.expression;
	}
	if (!title || !/^(test|it|describe)(Since)?$/.test(called.getText(source))) return undefined;
	return ts.isStringLiteralLike(title) ? title.text : title.getText(source);
}

function nameOf(node: ts.Node, source: ts.SourceFile): string | undefined {
	if (ts.isVariableStatement(node)) {
		return node.declarationList.declarations[0].name.getText(source);
	}
	const isNamed =
		ts.isFunctionDeclaration(node) ||
		ts.isClassDeclaration(node) ||
		ts.isInterfaceDeclaration(node) ||
		ts.isTypeAliasDeclaration(node) ||
		ts.isMethodDeclaration(node) ||
		ts.isPropertyDeclaration(node) ||
		ts.isPropertySignature(node) ||
		ts.isPropertyAssignment(node);
	if (!isNamed || !node.name) return undefined;
	return ts.isStringLiteralLike(node.name) ? node.name.text : node.name.getText(source);
}
