import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

/**
 * What the package says in errors and hints, held against docs/errors.md: whoever searches that page
 * for what they see has to find it, and nothing is in it that is never said.
 */
const files = globSync(['nodes/**/*.ts', 'credentials/*.ts']).filter(
	(file) => !/[\\/]properties\.ts$/.test(file),
);
const sources = files.map((file) =>
	ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
);
const told = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| (.*?) \| /gm)].flatMap(
	([, cell]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text),
);

describe('docs/errors.md', () => {
	const said = sources.flatMap((source) => messagesIn(source));

	test('is about many texts', () => {
		expect(told.length).toBeGreaterThan(90);
		expect(said.length).toBeGreaterThan(90);
	});

	test.each([...new Set(said)])('tells of: %s', (text) => {
		expect(told.filter((one) => begins(text, one))).not.toEqual([]);
	});

	const literals = sources.flatMap((source) => textsIn(source)).join('\n');

	test.each(told)('tells of what is said: %s', (text) => {
		for (const piece of piecesOf(text)) expect(literals).toContain(piece);
	});
});

/** Whether a text is one that the document tells of, up to where that one ends. */
function begins(text: string, one: string): boolean {
	const pattern = one.split('…').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${pattern.join('.*')}`).test(text);
}

/** The fixed pieces of a text; `is` stands apart in the code, before what finishes the sentence. */
function piecesOf(text: string): string[] {
	return text
		.replace(/^[A-Z]\w*( [A-Z]\w*)* is /, '')
		.split('…')
		.map((piece) => piece.replace(/^ (is|has) /, '').trim())
		.filter((piece) => /\w{2}/.test(piece));
}

/** The errors and hints of a file: what it refuses, explains, returns as a problem, and hints at. */
function messagesIn(source: ts.SourceFile): string[] {
	const found: ts.Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'message') {
			found.push(node.initializer);
		}
		if (ts.isCallExpression(node)) {
			const called = node.expression.getText();
			if (called === 'refuse') found.push(node.arguments[2]);
			// An error of the package's own.
			if (called === 'super' && node.arguments.length > 0) found.push(node.arguments[0]);
			if (/\bmessages\.(push|set)$/.test(called)) found.push(node.arguments[0]);
		}
		if (ts.isNewExpression(node) && node.expression.getText() === 'NodeOperationError') {
			found.push(node.arguments![1]);
		}
		if (ts.isNewExpression(node) && /^TooMany\w+$/.test(node.expression.getText())) {
			found.push(node.arguments![0]);
		}
		if (ts.isReturnStatement(node) && node.expression && isOfProblems(source)) {
			found.push(node.expression);
		}
		if (ts.isVariableDeclaration(node) && node.initializer) {
			if (node.name.getText() === 'message') found.push(node.initializer);
			if (node.name.getText() === 'messages') node.initializer.forEachChild(collect);
		}
		node.forEachChild(visit);
	};
	const collect = (node: ts.Node): void => {
		if (ts.isArrayLiteralExpression(node)) {
			for (const one of node.elements) found.push(ts.isBinaryExpression(one) ? one.right : one);
		} else node.forEachChild(collect);
	};
	visit(source);
	const isSentence = (text: string) => /[a-z] [a-z]/i.test(text) && text.length > 15;
	return found.flatMap(textsOf).filter(isSentence);
}

/** Files of functions that return a problem or a hint in words. */
function isOfProblems({ fileName }: ts.SourceFile): boolean {
	return /transport[\\/](credential[\\/]\w+|rateLimitHint)\.ts$/.test(fileName);
}

/** What an expression may say, if it is made of texts. */
function textsOf(expression: ts.Expression): string[] {
	if (ts.isConditionalExpression(expression)) {
		return [...textsOf(expression.whenTrue), ...textsOf(expression.whenFalse)];
	}
	if (ts.isStringLiteralLike(expression)) return [expression.text];
	if (!ts.isTemplateExpression(expression)) return [];
	return expression.templateSpans.reduce(
		(begun, span) => begun.flatMap((text) => partsOf(span).map((part) => text + part)),
		[expression.head.text],
	);
}

/** What a part of a template may say: one of several texts, or what differs. */
function partsOf({ expression, literal }: ts.TemplateSpan): string[] {
	const texts = ts.isConditionalExpression(expression) ? textsOf(expression) : [];
	return (texts.length > 0 ? texts : ['…']).map((text) => text + literal.text);
}

/** Every text of a file. */
function textsIn(source: ts.SourceFile): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
			found.push(...textsOf(node));
		}
		node.forEachChild(visit);
	};
	visit(source);
	return found;
}
