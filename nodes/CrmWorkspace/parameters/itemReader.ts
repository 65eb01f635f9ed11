/**
 * The value of a text of an item. `evaluateStored` is the way of each: what the node stores is split;
 * what the author wrote stays; n8n evaluates the code; a piece that gives no value is refused. What is
 * certainly wrong is refused; what may be a mistake is sent, and noted in `doubts`.
 */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { findForeign, findNoToken, parseToken } from '../api/tokens';
import { trim } from '../common/text';
import { isExpression, readStored, splitStored, type Piece } from '../n8n/expressions';
import { adviseOnNames, guard, isPath, literalsOf, pathsOf, readsMore, withoutTexts } from './code';
import { findMadeWords, findWrongType, type Sources } from './holes';
import { ParameterReader } from './parameterReader';
import { texts } from './texts';
import { quote, toText } from './value';

/** What a text is for. */
interface TextUse {
	/** The parameter's name for the user, with which an error begins. */
	displayName: string;
	/** Whether the service replaces tokens in it: they stay, and data beside them never becomes one. */
	hasTokens?: boolean;
	/** Whether its reader can be shown braces that begin no token: `dataBrace` stands for them then. */
	showsBraces?: boolean;
	/** Whether null and blank text are missing, too. */
	needsEach?: boolean;
}

/** A brace that came with data and begins no token. Texts don't have this noncharacter. */
export const dataBrace = '\ufdd0';

/** Braces that stand beside each other, or may after the text beside them. */
const doubleBraces = /\{(?=\{)|(?<=\{)\{|^\{|\{$/g;

const loneBrace = /(?<![{\ufdd0])\ufdd0(?![{\ufdd0])/g;

export class ItemReader extends ParameterReader<IExecuteFunctions> {
	/** What is sent and may be a mistake: sentences, or paths of fields that gave nothing. */
	readonly doubts = { sentences: new Set<string>(), gaps: new Set<string>() };

	/** A parameter as the node stores it. */
	stored(name: string, fallback: unknown = ''): unknown {
		return readStored(this.context, name, this.itemIndex, fallback);
	}

	/** The fields of a collection, as the node stores them. */
	storedFields({ name }: INodeProperties): Record<string, unknown> {
		return Object(this.stored(name, {})) as Record<string, unknown>;
	}

	/**
	 * The text of what the node stores.
	 * @throws NodeOperationError if it gives nothing, what isn't text, or braces of data for a token
	 */
	textOf(stored: unknown, use: TextUse): string {
		const value = this.evaluateStored(stored, use);
		if (value === undefined) this.refuseHole(String(stored).slice(1), use);
		const text = this.toText(value, use);
		const at = text.indexOf(dataBrace);
		if (at < 0 || use.showsBraces) return text;
		const [braces] = /^[^}]*\}{0,2}/.exec(text.slice(at).replaceAll(dataBrace, '{'))!;
		return this.refuse(texts.bracesOfData(use.displayName, braces));
	}

	/** The text of what the node stores, without white space around it. @throws if it is empty */
	filled(stored: unknown, use: TextUse, advice: string): string {
		const text = trim(this.toText(this.evaluateStored(stored, use), use));
		return text === '' ? this.refuseEmpty(stored, use, advice) : text;
	}

	/** @param advice what to do if it isn't an expression that gave nothing */
	refuseEmpty(stored: unknown, { displayName }: TextUse, advice: string): never {
		const isGiven = isExpression(stored) && stored.includes('{{');
		const reason = isGiven ? this.describeHole(stored.slice(1)) : advice;
		this.refuse(texts.empty(displayName, reason));
	}

	/**
	 * The value of what the node stores.
	 * @returns undefined if it is one expression that gives nothing
	 * @throws NodeOperationError if a piece fails, or gives no value
	 */
	evaluateStored(stored: unknown, use: TextUse): unknown {
		if (typeof stored !== 'string') return stored;
		const pieces = this.split(stored, use);
		const given = this.evaluate(pieces, use);
		const isAlone = pieces.length === 1;
		const isWhole = pieces.filter(({ text }) => text.trim() !== '').length === 1;
		const values = pieces.map(({ text, isCode }, at) => {
			if (!isCode) return text;
			const value = this.check(text, given[at], use, isAlone);
			return use.hasTokens ? this.settleBraces(text, value, use, isWhole) : value;
		});
		if (isAlone) return values[0];
		const text = values.join('').replace(loneBrace, '{');
		const noToken = use.hasTokens && !isWhole && findNoToken(text);
		return noToken ? this.refuse(texts.neitherTokenNorCode(use.displayName, noToken)) : text;
	}

	/**
	 * Step 1: what stays as it is written, and code for n8n.
	 * @throws NodeOperationError for what is neither
	 */
	split(stored: string, use: TextUse): Piece[] {
		this.refuseFixed(use.displayName, stored, use.hasTokens);
		const chunks = splitStored(stored);
		const pieces: Piece[] = [];
		for (const { text, isCode: mayBeCode } of chunks) {
			const isCode = mayBeCode && !this.isToken(text, use, pieces);
			const foreign = use.hasTokens && !isCode && findForeign(text);
			if (foreign) this.refuseForeign(foreign, use, pieces);
			if (isCode || text !== '' || chunks.length === 1) pieces.push({ text, isCode });
		}
		return pieces;
	}

	/** A token is a bare name, or a path for which n8n has no value. @throws for an unknown name */
	private isToken(chunk: string, use: TextUse, before: Piece[]): boolean {
		const token = use.hasTokens ? parseToken(chunk)?.name : undefined;
		if (token !== undefined && !/^(?:undefined|null|true|false|NaN|Infinity)$/.test(token))
			return !/[.[]/.test(token) || this.ask(`{{ ${token} }}`) === undefined;
		const [, name] = /^\{\{[\s!~+-]*([\p{L}_][\p{L}\p{M}\p{N}_]*)/u.exec(chunk) ?? [];
		// n8n takes an unknown name for undefined. A keyword, such as `new`, is an error here.
		const isUnknown = name !== undefined && this.ask(`{{ typeof ${name} }}`) === 'undefined';
		return isUnknown && name !== 'undefined' ? this.refuseForeign(chunk, use, before) : false;
	}

	/** @param before pieces that are refused first if n8n can't evaluate them */
	private refuseForeign(chunk: string, use: TextUse, before: Piece[]): never {
		this.evaluate(before, use);
		return this.refuse(texts.neitherTokenNorCode(use.displayName, chunk));
	}

	/** What n8n gives for code, whatever the item; undefined if it fails. */
	private ask(code: string): unknown {
		try {
			return this.context.evaluateExpression(code, 0);
		} catch {
			return undefined;
		}
	}

	/** Step 2: what n8n gives for the code. */
	evaluate(pieces: Piece[], use: TextUse): unknown[] {
		const { context, itemIndex } = this;
		return pieces.map(({ text, isCode }) =>
			isCode
				? this.ofN8n(use.displayName, () => context.evaluateExpression(text, itemIndex), text)
				: undefined,
		);
	}

	/** What code reads, as far as n8n gives it. */
	private readSources(code: string, use: TextUse): Sources {
		const fields = pathsOf(code).map((path) => ({ text: `{{ ${path} }}`, isCode: true }));
		try {
			const values = this.evaluate(fields, use);
			const said = values.map((value) => (isBlank(value) ? '' : toPlainJson(value)));
			return { values, texts: said, areAll: !readsMore(code) };
		} catch {
			return { values: [], texts: [], areAll: false };
		}
	}

	/**
	 * Step 3: refuses what isn't a value.
	 * @param isAlone then the caller decides what undefined and an object mean
	 */
	check(code: string, value: unknown, use: TextUse, isAlone: boolean): unknown {
		if (use.needsEach && this.isPartBlank(code, value, use)) this.refuseHole(code, use, 'no value');
		if (isAlone && (value === undefined || typeof value === 'object')) return value;
		const wrong = findWrongType(value);
		if (wrong) this.refuseHole(code, use, wrong);
		if (typeof value === 'number' && singleSign.test(withoutTexts(code)))
			this.refuse(texts.neitherTokenNorCode(use.displayName, code));
		if (typeof value === 'string') this.checkWords(value, code, use);
		const isGap = value === null || (isBlank(value) && isPath(code));
		if (use.hasTokens && !isAlone && isGap)
			this.doubts.gaps.add(`${code.slice(2, -2).trim()} in '${use.displayName}'`);
		return value;
	}

	private isPartBlank(code: string, value: unknown, use: TextUse): boolean {
		const isOptional = /\?(?!\.)|\|\|/.test(withoutTexts(code));
		return isBlank(value) || (!isOptional && this.readSources(code, use).values.some(isBlank));
	}

	/** @param where in the data of an object */
	checkWords(text: string, code: string, use: TextUse, where = ''): void {
		const found = findMadeWords(text, code, () => this.readSources(code, use));
		if (found?.isCertain) this.refuseHole(code, use, `${quote(found.near)}${where}`);
		if (!found) return;
		this.doubts.sentences.add(texts.mayHaveGap(use.displayName, code, found.near));
	}

	/**
	 * Braces beside the author's text are data, unless the code itself has some. What one expression
	 * gives alone is the author's text.
	 */
	private settleBraces(code: string, value: unknown, use: TextUse, isWhole: boolean): unknown {
		const isList = Array.isArray(value) && !findWrongType(value);
		if (typeof value !== 'string' && !isList) return value;
		const text = String(value);
		if (!isWhole) {
			const areOwn = !text.includes('{') || literalsOf(code).some((one) => one.includes('{{'));
			return areOwn ? value : text.replace(doubleBraces, dataBrace);
		}
		const foreign = findForeign(text);
		if (foreign === undefined) return value;
		return this.refuse(texts.noTokenInValue(use.displayName, foreign, code));
	}

	/** @param gave what the code gave instead of a value */
	refuseHole(code: string, { displayName }: TextUse, gave = 'nothing'): never {
		const isField = gave === 'nothing' && isPath(code) && displayName !== 'To';
		const reason = this.describeHole(code, gave);
		const guarded = guard(code) ?? code;
		const advice = isField ? texts.ifMissing(reason, guarded) : reason;
		this.refuse(texts.incomplete(displayName, advice));
	}

	/** What to do about code that gave no value. */
	describeHole(code: string, gave = 'nothing'): string {
		if (/\$fromai\(/i.test(code)) return texts.emptyArgument;
		return texts.describeHole(code, gave, this.adviseOnNames(code));
	}

	/** Names a field that code, or parameters, misspell, or one that has no value in the item. */
	adviseOnNames(code: unknown): string | undefined {
		return adviseOnNames(code, this.context.getInputData()[this.itemIndex].json);
	}
}

/** What a value says: without null, and without the letters of escapes beside its words. */
const toPlainJson = (value: unknown) =>
	JSON.stringify(value, (_name, inner: unknown) => inner ?? '').replace(/\\./g, ' ');

/** Of what isn't text, nothing is blank. */
const isBlank = (value: unknown) => toText(value)?.trim() === '';

/** JavaScript calculates with `| upper`, `&nbsp;` and `"a" & "b"`. People do so with digits only. */
const singleSign = /(?<![|&])[|&](?![|&])\s*[^\s\d]/;
