import type { Fault, FaultKind } from '../errors/failure';

/** Thrown when an answer has more bytes than are read. */
export class AnswerTooLarge extends Error {}

/** What an error has that n8n, its HTTP client or a stream throws. */
interface ThrownError {
	name?: unknown;
	message?: unknown;
	description?: unknown;
	code?: unknown;
	/** Where n8n 1.104 to 2.31 keep the code of an error that they wrap: they lose its cause. */
	httpCode?: unknown;
	cause?: unknown;
	isAxiosError?: unknown;
	syscall?: unknown;
}

/**
 * What kept the answer to a request from arriving. n8n wraps what goes wrong before it has one. The
 * HTTP client gives each fault of a connection a code, so what has none, or comes from elsewhere,
 * was raised by n8n before anything was sent. Where the cause is lost, a code is the client's.
 */
export function faultIn(error: unknown): Fault {
	if (error instanceof AnswerTooLarge) return { kind: 'tooLarge' };
	const chain = causesOf(error);
	const isWrapped = chain[0]?.name === 'NodeApiError';
	const causes = isWrapped ? chain.slice(1) : chain;
	const networkCode = codeIn(chain);
	const isOfConnection = networkCode && (causes.length === 0 || causes.some(isOfClient));
	if (isWrapped && !isOfConnection) return raisedIn(causes.length > 0 ? causes : chain);
	if (networkCode === undefined) return { kind: 'silent' };
	if (chain.some(({ syscall }) => syscall === 'connect'))
		return { kind: 'unreachable', networkCode };
	const kind = kindOf(networkCode);
	return kind === 'timedOut' ? timedOut : { kind, networkCode };
}

/** What an exchange that took longer than its timeout is, whoever noticed. */
export const timedOut: Fault = { kind: 'timedOut', networkCode: 'ETIMEDOUT' };

/** The first that fits says what a network code means. */
const kindsByCode: Array<[kind: FaultKind, code: RegExp]> = [
	['unresolved', /^(ENOTFOUND|EAI_AGAIN)$/],
	['unreachable', /^ECONNREFUSED$/],
	// n8n's client has this one for an answer that takes too long.
	['timedOut', /^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/],
	['untrusted', /^(?!ERR_SSL).*(CERT|SIGNATURE)/],
	// Node.js has it for bytes that TLS did not take because there is no secure connection yet. What
	// breaks one that was made has a code of OpenSSL's, which may be the same reason.
	['insecure', /^EPROTO$/],
	['severed', /SSL|TLS/],
	['noHttp', /^HPE_/],
	[
		'broken',
		/^(ECONNRESET|EPIPE|E(HOST|NET)(UNREACH|DOWN)|ERR_STREAM_PREMATURE_CLOSE|Z_.*|ERR__ERROR.*)$/,
	],
];

function kindOf(networkCode: string): FaultKind {
	return kindsByCode.find(([, code]) => code.test(networkCode))?.[0] ?? 'silent';
}

/** What n8n words itself stays so, and so does what its client met before it had a connection. */
function raisedIn(chain: ThrownError[]): Fault {
	const { message, description } = chain.findLast((one) => textIn(one.message)) ?? {};
	return {
		kind: 'ofN8n',
		words: textIn(message) ?? codeIn(chain) ?? 'for a reason unknown',
		advice: textIn(description),
	};
}

/** n8n's protection against requests into its own network looks names up before the client does. */
function isOfClient({ isAxiosError, syscall }: ThrownError): boolean {
	return isAxiosError === true || syscall === 'getaddrinfo';
}

/** An error and what caused it, the cause of all last. */
function causesOf(error: unknown, depth = 0): ThrownError[] {
	if (typeof error !== 'object' || error === null || depth > 5) return [];
	const thrown = error as ThrownError;
	return [thrown, ...causesOf(thrown.cause, depth + 1)];
}

function codeIn(chain: ThrownError[]): string | undefined {
	return chain
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.map(String)
		.find((text) => /^[A-Z][A-Z\d_]{1,60}$/.test(text));
}

function textIn(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
