import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, Script } from 'node:vm';
import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp';
import { expect, test } from '@jest/globals';
import 'n8n-workflow';
import ts from 'typescript';

const files = globSync('{nodes,credentials}/**/*.ts');

/** The regular expressions of what ships that are literals. */
const literals = files.flatMap((file) => {
	const { Latest } = ts.ScriptTarget;
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), Latest, true);
	const found: Array<{ place: string; text: string }> = [];
	(function visit(node: ts.Node): void {
		ts.forEachChild(node, visit);
		if (!ts.isRegularExpressionLiteral(node)) return;
		// `/…/.source` runs only in the pattern that it becomes a part of.
		const isPart = ts.isPropertyAccessExpression(node.parent) && node.parent.name.text === 'source';
		const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
		if (!isPart) found.push({ place: `${file}:${line}`, text: node.text });
	})(source);
	return found;
});

/** Those that calls of RegExp build, recorded while their modules are loaded and used. */
const built: Array<{ place: string; text: string }> = [];
const original = RegExp;
globalThis.RegExp = new Proxy(RegExp, {
	construct: (target, args: [string, string]) => {
		const pattern = new target(...args);
		built.push({ place: 'a call of RegExp', text: String(pattern) });
		return pattern;
	},
});
const { redact } = Object.assign({}, ...files.map((file) => require(resolve(file))));
redact('', 'sk_live_0123');
globalThis.RegExp = original;

test('each call of RegExp is recorded', () => {
	const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
	expect(built).toHaveLength(code.match(/\bRegExp\(/g)!.length);
});

/** Letters, digits, signs and invisible characters, of which each class contains some. */
const ranges = '!\u036f\0 \u2000\u206f∞∞\u3000\u300f\ufd00\uffff𝒳𝒳\u{e0020}\u{e0020}\ud835\ud835';
const universe = ranges.match(/../gsu)!.flatMap((range) => {
	const [first, last] = [...range].map((sign) => sign.codePointAt(0)!);
	return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
});

/** The signs in each class of a pattern, one for each set of classes, and some that a class lacks. */
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
	expect(all.filter((own) => own.size === 0)).toEqual([]);
	const kinds = new Map<string, string>();
	for (const sign of universe) {
		const kind = all.map((own) => Number(own.has(sign))).join('');
		kinds.set(kind, kinds.get(kind) ?? sign);
	}
	const signs = [...kinds.values()];
	const others = new Set(all.flatMap((own) => signs.find((sign) => !own.has(sign)) ?? []));
	const within = (raw: string) => signs.filter((sign) => classes.get(raw)?.has(sign));
	return { within, others: [...others] };
}

type Attack = { before: string; pump: string; after: string };

/** Texts that a pattern may take long for: a part of what it matches, often, and then what fails. */
function findAttacks(literal: AST.RegExpLiteral): Attack[] {
	const { within, others } = readClasses(literal);

	/** What a part matches, so that each of its classes and alternatives is used. */
	const read = (node: AST.Node): string[] => {
		if (node.type === 'Backreference') return read([node.resolved].flat()[0]);
		if (node.type === 'Alternative') {
			const parts = node.elements.map(read);
			const length = Math.max(1, ...parts.map((words) => words.length));
			const join = (at: number) => parts.map((words) => words[at % words.length]).join('');
			return Array.from({ length }, (_, at) => join(at));
		}
		if (node.type === 'Quantifier') {
			const words = read(node.element).map((word) => word.repeat(Math.max(node.min, 1)));
			return node.min > 0 ? words : [...words, ''];
		}
		if (!('alternatives' in node)) return node.type === 'Assertion' ? [''] : within(node.raw);
		const words = node.alternatives.flatMap(read);
		return node.type === 'Assertion' ? [...words, ''] : words;
	};

	const attacks = new Map<string, Attack>();
	for (const word of new Set(read(literal.pattern)))
		for (let from = 0; from < word.length; from++)
			for (let to = from + 1; to <= Math.min(word.length, from > 0 ? from + 6 : 20); to++)
				for (const before of ['', word.slice(0, from), ...others.slice(0, 1)])
					for (const after of ['', ...others]) {
						const attack = { before, pump: word.slice(from, to), after };
						attacks.set(Object.values(attack).join(' \0 '), attack);
					}
	return [...attacks.values()];
}

const context = createContext({});
const script = new Script('run()');

/** Also on a busy machine, but only to a few milliseconds. */
function getCpuMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

/** The texts with the milliseconds that each takes at least, the slowest first. */
function measure(pattern: RegExp, attacks: Attack[], length: number, runs: number) {
	const now = length === fullLength ? getCpuMs : () => performance.now();
	const times = new Map<Attack, number>();
	let current = attacks[0];
	context.run = () => {
		for (current of Array<Attack[]>(runs).fill(attacks).flat()) {
			const { before, pump, after } = current;
			const text = before + pump.repeat(length / pump.length) + after;
			// In one piece, which a joined text isn't.
			const copy = Buffer.from(text, 'utf16le').toString('utf16le');
			const start = now();
			copy.replace(pattern, '');
			times.set(current, Math.min(now() - start, times.get(current) ?? Infinity));
		}
	};
	// By the clock, so it has room for a busy machine where the figures count.
	const usual = 200 + (runs * attacks.length * length) / 2 ** 13;
	const timeout = length === fullLength ? 3_000 : Math.round(usual);
	try {
		script.runInContext(context, { timeout });
	} catch {
		times.set(current, times.get(current) ?? Infinity);
	}
	return [...times].sort(([, one], [, other]) => other - one);
}

/** 256 KB. */
const fullLength = 2 ** 18;

/** The texts that take a pattern longer than linear time would. */
function findSlow(text: string): string[] {
	const literal = parseRegExpLiteral(text);
	const flags = new Set(`g${literal.flags.raw}`);
	const pattern = new RegExp(literal.pattern.raw, [...flags].join(''));
	let worst = findAttacks(literal);
	for (const [length, runs, kept] of [
		[2 ** 12, 1, 1000],
		[2 ** 13, 3, 3],
	])
		worst = measure(pattern, worst, length, runs)
			.slice(0, kept)
			.map(([attack]) => attack);
	expect(worst).not.toEqual([]);
	const show = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return measure(pattern, worst, fullLength, 3)
		.filter(([, time]) => time >= 50)
		.map(([attack, time]) => `${JSON.stringify(attack).replace(/[^ -~]/g, show)}: ${time} ms`);
}

test.each([/\s+$/, /x[^y]*y/, /(?<=x\d*)\d/, /(?<!\ufeff)(?:[\s\p{Cc}]|\p{Cf})+$/u])(
	'%s is found to be slow',
	(pattern) => expect(findSlow(String(pattern))).not.toEqual([]),
);

test.each([...literals, ...built])('$text in $place takes linear time', ({ text }) => {
	expect(findSlow(text)).toEqual([]);
});
