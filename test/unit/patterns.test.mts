import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import 'n8n-workflow';
import ts from 'typescript';

// In this process: its own ones are larger, and not there for every platform.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = require('recheck') as typeof import('recheck');

interface Pattern {
	place: string;
	text: string;
}

/** What ships builds regular expressions from literals, and by calls of RegExp. */
const literals: Pattern[] = [];
const calls: string[] = [];
for (const file of globSync('{nodes,credentials}/**/*.ts')) {
	const { Latest } = ts.ScriptTarget;
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), Latest, true);
	const read = (node: ts.Node): void => {
		const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
		const place = `${file}:${line}`;
		const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
		if (isCall && node.expression.getText() === 'RegExp') calls.push(place);
		// `/…/.source` runs only in the pattern that it becomes a part of.
		const isPart = /^\s*\.source\b/.test(source.text.slice(node.getEnd()));
		if (ts.isRegularExpressionLiteral(node) && !isPart)
			literals.push({ place, text: node.getText() });
		ts.forEachChild(node, read);
	};
	read(source);
}

/** The patterns that the calls build, recorded while their modules are loaded and used. */
const built: Pattern[] = [];
const original = RegExp;
globalThis.RegExp = new Proxy(RegExp, {
	construct: (target, args: [string, string]) => {
		const caller = new Error().stack!.split('\n')[2];
		const [, place] = /((?:nodes|credentials)\/[^:]*:\d+)/.exec(caller) ?? [];
		const pattern = new target(...args);
		if (place) built.push({ place, text: String(pattern) });
		return pattern;
	},
});
const files = new Set(calls.map((place) => place.replace(/:\d+$/, '')));
const { redact } = Object.assign({}, ...Array.from(files, (file) => require(resolve(file))));
redact('', 'sk_live_0123');
globalThis.RegExp = original;

/**
 * Whether one of two checkers shows that no text takes long: the first attacks the pattern, and may be
 * deceived by repetitions that have a limit; the second proves it, and doesn't know all syntax. Both
 * without a time limit, so that a slow machine finds the same.
 */
function isLinear(text: string): boolean {
	const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text)!;
	const isSafe = (checker: 'fuzz' | 'automaton') =>
		checkSync(source, flags, { checker, maxIteration: 5, timeout: null }).status === 'safe';
	return isSafe('fuzz') || isSafe('automaton');
}

test('each regular expression is found', () => {
	expect(new Set(built.map(({ place }) => place))).toEqual(new Set(calls));
	expect(literals.length).toBeGreaterThan(60);
});

test.each([/\s+$/, /x[^y]*y/, /(?<=x\d*)\d/, /(?<!\ufeff)(?:[\s\p{Cc}]|\p{Cf})+$/u])(
	'%s is found to be slow',
	(pattern) => expect(isLinear(String(pattern))).toBe(false),
);

test.each([...literals, ...built])('$text in $place takes linear time', ({ text }) => {
	expect(isLinear(text)).toBe(true);
});
