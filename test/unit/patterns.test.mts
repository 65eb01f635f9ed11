import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, Script } from 'node:vm';
import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp';
import { expect, test } from '@jest/globals';
import 'n8n-workflow';
import ts from 'typescript';

const files = globSync('{nodes,credentials}/**/*.ts');

/** The regular expressions of what ships: literals, and calls of RegExp. */
const found = files.flatMap((file) => {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
	const nodes: ts.Node[] = [source];
	for (const node of nodes) ts.forEachChild(node, (child) => void nodes.push(child));
	return nodes.flatMap((node) => {
		const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
		const isBuilt = isCall && node.expression.getText() === 'RegExp';
		if (!isBuilt && !ts.isRegularExpressionLiteral(node)) return [];
		const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
		// `/…/.source` runs only in the pattern that it becomes a part of.
		const isPart = /^\s*\.source\b/.test(source.text.slice(node.getEnd()));
		return { file, place: `${file}:${line}`, text: node.getText(), isBuilt, isPart };
	});
});
const calls = found.filter(({ isBuilt }) => isBuilt);
const literals = found.filter(({ isBuilt, isPart }) => !isBuilt && !isPart);

/** The patterns that the calls build, recorded while their modules are loaded and used. */
const built: Array<{ place: string; text: string }> = [];
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
const { classifyKey, redact } = Object.assign({}, ...calls.map(({ file }) => require(resolve(file))));
classifyKey({ statusCode: 409 });
redact('', 'sk_live_0123456789abcdef');
globalThis.RegExp = original;

test('each regular expression is found', () => {
	const places = (some: Array<{ place: string }>) => new Set(some.map(({ place }) => place));
	expect(places(built)).toEqual(places(calls));
	const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
	const count = (pattern: RegExp) => code.match(pattern)!.length;
	expect(calls.length).toBe(count(/\bRegExp\(/g));
	expect(literals.length).toBeGreaterThan(60);
	expect(found.length - calls.length).toBeGreaterThanOrEqual(
		count(/(?<=[\s(=:?])\/(?![*/]).+?[^\s\\]\/[a-z]*(?=[.;,)\s])/g),
	);
});

/** Letters, digits, signs and invisible characters, of which each class contains some. */
const ranges = ['!\u036f', '\0 ', '\u2000\u206f', '\u3000\u300f', '\ufd00\uffff', '𝒳𝒳', '\u{e0020}\u{e0020}'];
const universe = [...ranges, '\ud835\ud835'].flatMap((range) => {
	const [first, last] = [...range].map((sign) => sign.codePointAt(0)!);
	return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
});

/** The characters in each class of a pattern, one for each combination of classes; and some in none. */
function readClasses({ pattern, flags }: AST.RegExpLiteral) {
	const classes = new Map<string, Set<string>>();
	const add = ({ raw, parent }: AST.Node) => {
		if (parent!.type.startsWith('CharacterClass')) return;
		const one = new RegExp(`^${raw}$`, flags.raw.replace('g', ''));
		classes.set(raw, new Set(universe.filter((sign) => one.test(sign))));
	};
	visitRegExpAST(pattern, {
		onCharacterEnter: add,
		onCharacterSetEnter: add,
		onCharacterClassEnter: add,
	});
	const all = [...classes.values()];
	const kinds = universe.map((sign) => all.map((own) => Number(own.has(sign))).join(''));
	const signs = universe.filter((_, at) => kinds.indexOf(kinds[at]) === at);
	const others = all.flatMap((own) => signs.find((sign) => !own.has(sign)) ?? []);
	const within = (raw: string) => signs.filter((sign) => classes.get(raw)?.has(sign));
	return { within, others: [...new Set(others)] };
}

type Attack = { before: string; pump: string; after: string };

/** Repeats what each part of a pattern matches, after what leads there, and before what fails. */
function findAttacks(literal: AST.RegExpLiteral): Attack[] {
	const { within, others } = readClasses(literal);
	const attacks = new Map<string, Attack>();
	const add = (pump: string, path: string) => {
		for (const before of ['', path, others[0] ?? ''])
			for (const after of ['', ...others])
				attacks.set(JSON.stringify([before, pump, after]), { before, pump, after });
	};
	const join = (parts: string[][]) =>
		Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, at) =>
			parts.map((words) => words[at % words.length]).join(''),
		);

	/** Words that a part matches. @param path a text that leads to it */
	const read = (node: AST.Node, path: string): string[] => {
		if (node.type === 'Backreference') return read([node.resolved].flat()[0], path);
		if (node.type === 'Alternative') return readAll(node.elements, path);
		if (node.type === 'Quantifier') {
			const words = read(node.element, path).map((one) => one.repeat(Math.max(node.min, 1)));
			return node.min > 0 ? words : [...words, ''];
		}
		if (!('alternatives' in node)) return node.type === 'Assertion' ? [''] : within(node.raw);
		const words = node.alternatives.flatMap((one) => read(one, path));
		const isBehind = node.type !== 'Assertion' || (node.kind === 'lookbehind' && !node.negate);
		return isBehind ? words : [''];
	};

	const readAll = (elements: AST.Element[], before: string): string[] => {
		const parts: string[][] = [];
		const paths = [before];
		for (const [at, element] of elements.entries()) {
			const words = read(element, paths.at(-1)!);
			const isInWord = [element, elements[at - 1]].every((one) => one?.type === 'Character');
			parts.push(isInWord ? join([parts.pop()!, words]) : words);
			paths[parts.length] = paths[parts.length - 1] + parts.at(-1)![0];
		}
		for (const at of parts.keys())
			for (const [from, to] of [[0, at + 1], [at, at + 1], [at, at + 2], [at, Infinity]])
				for (const pump of join(parts.slice(from, to))) if (pump) add(pump, paths[from]);
		return parts.length > 0 ? join(parts) : [''];
	};

	read(literal.pattern, '');
	return [...attacks.values()];
}

const context = createContext({});
const script = new Script('run()');

/** The texts and the milliseconds that each takes at least, the slowest first. */
function measure(pattern: RegExp, attacks: Attack[], length: number, runs = 1): Array<[Attack, number]> {
	const times = new Map<Attack, number>();
	let current = attacks[0];
	context.run = () => {
		for (current of Array<Attack[]>(runs).fill(attacks).flat()) {
			const { before, pump, after } = current;
			// In one piece, which joined strings aren't.
			const text = Buffer.from(before + pump.repeat(length / pump.length) + after, 'utf16le').toString('utf16le');
			const start = performance.now();
			text.replace(pattern, '');
			times.set(current, Math.min(performance.now() - start, times.get(current) ?? Infinity));
		}
	};
	try {
		script.runInContext(context, { timeout: 2000 + attacks.length });
	} catch {
		times.set(current, times.get(current) ?? Infinity);
	}
	return [...times].sort(([, one], [, other]) => other - one);
}

/** The texts of 256 KB that take a pattern longer than linear time would. */
const stats: any[] = [];
function findSlow(text: string) {
	const t0 = performance.now();
	const literal = parseRegExpLiteral(text);
	const pattern = new RegExp(literal.pattern.raw, [...new Set(`g${literal.flags.raw}`)].join(''));
	let attacks = findAttacks(literal);
	const t1 = performance.now();
	const n = attacks.length;
	for (const [runs, rest] of [[1, 300], [3, 3]])
		attacks = measure(pattern, attacks, 2 ** 13, runs).slice(0, rest).map(([attack]) => attack);
	const t2 = performance.now();
	const full = measure(pattern, attacks, 2 ** 18, 3);
	stats.push([text.slice(0, 50), n, t1 - t0, t2 - t1, performance.now() - t2, '|', full[0][1], JSON.stringify(full[0][0])].map((x) => typeof x === 'number' ? Math.round(x * 100) / 100 : x).join(' '));
	return full.filter(([, time]) => time > 50).map(([{before,pump,after},time]) => `${JSON.stringify(before)} + ${JSON.stringify(pump)} × n + ${JSON.stringify(after)}: ${Math.round(time)} ms`);
}

test.each([/\s+$/, /<title[^>]*>/, /(?:\s|[\t ])+$/, /^(\w+\s?)*$/, /"(?:\\.|[^"])*"/, /(?<=x\d*)\d/, /(?<!\ufeff)(?:[\s\p{Cc}]|\p{Cf})+$/u])('finds slow %s', (pattern) => {
	expect(findSlow(String(pattern))).not.toEqual([]);
});
test.each([...literals, ...built])('$text in $place takes linear time', ({ text }) => {
	expect(findSlow(text)).toEqual([]);
});
test('stats', () => { require('fs').writeFileSync('/tmp/stats', stats.join('\n')); });
