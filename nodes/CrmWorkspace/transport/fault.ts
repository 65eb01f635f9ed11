import { BodyTooLarge } from './body';
import type { Fault, RaisedFault } from './failure';
import { noCode, noRoom, timedOut, tooLarge, tooMuchHeld } from './networkCode';
import { NoRoom, TooMuchHeld } from './room';

/** What an error has that n8n, its HTTP client, its database driver or a stream throws. */
interface ThrownError {
	name?: unknown;
	message?: unknown;
	description?: unknown;
	code?: unknown;
	/** Where n8n 1.104 to 2.31 keep the code of an error that they wrap: they lose its cause. */
	httpCode?: unknown;
	cause?: unknown;
	isAxiosError?: unknown;
	/** The call to the system that failed. */
	syscall?: unknown;
	/** How serious n8n finds it: all errors that n8n words itself have one. */
	level?: unknown;
}

/**
 * What kept the answer to a request from arriving. n8n wraps what goes wrong before it has one. The
 * HTTP client gives each fault of a connection a code, so what has none, or comes from elsewhere,
 * was raised by n8n before anything was sent. Where the cause is lost, a code is the client's: the
 * request needs no credential from n8n's database.
 */
export function faultIn(error: unknown): Fault {
	if (error instanceof BodyTooLarge) return { networkCode: tooLarge };
	if (error instanceof TooMuchHeld) return { networkCode: tooMuchHeld };
	if (error instanceof NoRoom) return { networkCode: noRoom };
	const chain = causesOf(error);
	const isWrapped = chain[0]?.name === 'NodeApiError';
	const causes = isWrapped ? chain.slice(1) : chain;
	const networkCode = codeIn(chain);
	const isOfConnection = networkCode && (causes.length === 0 || causes.some(isOfClient));
	if (isWrapped && !isOfConnection) return { raised: raisedIn(causes.length > 0 ? causes : chain) };
	return { networkCode: networkCode === 'ECONNABORTED' ? timedOut : (networkCode ?? noCode) };
}

/** What n8n raised when it was asked for something of its own, such as a credential. */
export function raisedFault(error: unknown): RaisedFault {
	return raisedIn(causesOf(error));
}

/**
 * What n8n words itself stays so, and so does what its client met before it had a connection, such
 * as a proxy that wants a login. All else comes from what n8n stands on, such as its database.
 */
function raisedIn(chain: ThrownError[]): RaisedFault {
	const { message, description } = chain.findLast((one) => textIn(one.message)) ?? {};
	return {
		message: textIn(message) ?? codeIn(chain) ?? 'for a reason unknown',
		advice: textIn(description),
		isTransient: !chain.some(
			({ level, isAxiosError }) => level !== undefined || isAxiosError === true,
		),
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
