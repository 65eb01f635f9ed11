import { maxNameLength, shortened } from '../../text/plainText';
import { describeWebPage, isMarkup, visibleText } from './webPage';

export interface ServiceError {
	/** Its own code, e.g. `IDEMPOTENT_REPLAY`. */
	code?: string;
	message?: string;
}

interface Finding extends ServiceError {
	/** A code that is not only mentioned in a text, but has a field of its own or begins one. */
	statedCode?: string;
}

/** No real answer has its error on a deeper level. */
const maxErrorDepth = 20;

const maxSubjectParts = 20;

/** So many of a list are passed on. */
const maxErrors = 20;

/** Names of fields that hold an error's text, the most telling first. */
const wordNames = ['message', 'messages', 'msg', 'defaultMessage', 'error_description', 'detail'];

/**
 * Further names of an error's own fields: an object that has one is not a list of errors by field.
 */
const furtherErrorNames = ['error', 'errors', 'title', 'code', 'codes'];

/** Names under which an entry of a list of errors says which field it is about. */
const subjectNames = ['field', 'param', 'path', 'loc'];

/** Field names that stand for the whole request or record: they are not worth showing. */
const generalNames = ['', 'base', 'body', 'non_field_errors', '__all__'];

/** A code at the beginning of a text, like `RATE_LIMITED: `, `UNAUTHORIZED: ` or `not_found: `. */
const codeAtBeginning = /^([A-Z][A-Z\d]{2,}|[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+):\s*/;

/** A code that a text mentions: several words in capitals, joined. */
const codeAnywhere = /\b[A-Z]+(_[A-Z\d]+)+\b/;

/**
 * Finds the service's error code and message in an answer, in any of the shapes that services
 * use: the interface leaves the error body open. Of an HTML page only the title is taken, and
 * nothing longer than 500 characters is passed on, of a code 100. Takes time in proportion to the
 * body. Interface: OPEN-16.
 * @param body parsed JSON, or the text of a body that is not JSON
 */
export function readServiceError(body: unknown): ServiceError {
	const { code, message } = findIn(body);
	return { code: code && shortened(code, maxNameLength), message };
}

/** The code for which a body has a field of its own, or with which its text begins. */
export function statedCode(body: unknown): string | undefined {
	return findIn(body).statedCode;
}

function findIn(value: unknown, depth = 0): Finding {
	if (typeof value === 'string') return fromText(value.trim());
	if (!isRecord(value) || depth > maxErrorDepth) return {};
	return Array.isArray(value) ? fromList(value, depth + 1) : fromObject(value, depth + 1);
}

function fromText(text: string): Finding {
	if (isMarkup(text))
		return { code: codeAnywhere.exec(visibleText(text))?.[0], message: describeWebPage(text) };

	const [beginning, firstWord] = codeAtBeginning.exec(text) ?? ['', undefined];
	const mentioned = codeAnywhere.exec(text)?.[0];
	return {
		code: firstWord ?? mentioned,
		statedCode: firstWord ?? (mentioned === text ? mentioned : undefined),
		message: shortened(text.slice(beginning.length)) || undefined,
	};
}

function fromList(errors: unknown[], depth: number): Finding {
	return joined(
		errors.slice(0, maxErrors).map((error) => withSubject(subjectOf(error), findIn(error, depth))),
	);
}

function fromObject(value: Record<string, unknown>, depth: number): Finding {
	if (isErrorsByField(value)) return fromFields(value, depth);

	const { error, errors, code, title } = value;
	const inner = findIn(error, depth);
	const hasFields = isRecord(errors) && !Array.isArray(errors);
	const list = hasFields ? fromFields(errors, depth) : findIn(errors, depth);

	const said = wordNames.map((name) => saidIn(value[name], depth));
	// An `error` object says most; an `error` text often only repeats the status.
	const summary = isRecord(error)
		? (said[0].message ?? inner.message ?? firstMessage(said))
		: (firstMessage(said) ?? written(title) ?? inner.message);
	const codes = [inner, list, ...said];
	return {
		code: firstCode(codes, 'code') ?? written(code),
		statedCode: firstCode(codes, 'statedCode') ?? written(code),
		message: withDetails(summary, list.message),
	};
}

/** A text is taken as it is: a code within it is only mentioned. */
function saidIn(value: unknown, depth: number): Finding {
	return isRecord(value) ? findIn(value, depth) : { message: written(value) };
}

/** Whether an object holds nothing but lists of words by the field that they are about. */
function isErrorsByField(value: Record<string, unknown>): boolean {
	const isField = (name: string) => ![...wordNames, ...furtherErrorNames].includes(name);
	return Object.entries(value).every(([name, words]) => isField(name) && isListOfWords(words));
}

function fromFields(fields: Record<string, unknown>, depth: number): Finding {
	return joined(
		Object.entries(fields)
			.slice(0, maxErrors)
			.map(([field, words]) => withSubject(field, findIn(words, depth))),
	);
}

function subjectOf(error: unknown): string {
	if (!isRecord(error)) return '';
	const subject = subjectNames.map((name) => error[name]).find((value) => value !== undefined);
	const parts: unknown[] = Array.isArray(subject) ? subject.slice(0, maxSubjectParts) : [subject];
	return parts.flatMap((part) => written(part) ?? []).join('.');
}

/** Puts what an error is about before its words, unless they name it. */
function withSubject(subject: string, { message, ...codes }: Finding): Finding {
	if (message === undefined || generalNames.includes(subject)) return { ...codes, message };
	const isNamed = message.toLowerCase().includes(subject.toLowerCase());
	return { ...codes, message: isNamed ? message : shortened(`${subject} ${message}`) };
}

function joined(errors: Finding[]): Finding {
	const messages = errors.flatMap(({ message }) => message ?? []);
	const stated = new Set(errors.flatMap(({ statedCode }) => statedCode ?? []));
	return {
		code: firstCode(errors, 'code'),
		// If several errors state different codes, none of them stands for the whole.
		statedCode: stated.size === 1 ? [...stated][0] : undefined,
		message: shortened([...new Set(messages)].join('; ')) || undefined,
	};
}

/** A summary may announce details, or be the first of them. */
function withDetails(summary?: string, details?: string): string | undefined {
	if (summary === undefined || details === undefined) return summary ?? details;
	const isRepeated = details.includes(summary) || summary.includes(details);
	if (isRepeated) return details.length > summary.length ? details : summary;
	return shortened(`${summary}${/[.:;!?]$/.test(summary) ? '' : ':'} ${details}`);
}

function firstCode(findings: Finding[], kind: 'code' | 'statedCode'): string | undefined {
	return findings.find((one) => one[kind] !== undefined)?.[kind];
}

function firstMessage(findings: Finding[]): string | undefined {
	return findings.find(({ message }) => message !== undefined)?.message;
}

function isListOfWords(value: unknown): boolean {
	return (
		Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
	);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function written(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? shortened(value.trim()) : undefined;
}
