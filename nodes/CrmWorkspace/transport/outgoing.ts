import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { yieldToEventLoop } from './eventLoop';
import { plainText, shortened } from './foreignText';
import { nodeCredential, type NodeContext } from './nodeCredential';
import { inPlainText } from './nodeError';
import { redactor, redactorOfAnyKey } from './redact';

/** How many characters a hint has at most. */
const longestHint = 2000;

/** How many characters of the stack of calls an error keeps. */
const longestStack = 10_000;

/**
 * Cleans everything that leaves the node: removes the API key from items, hints and errors, and
 * turns the texts of hints and errors into plain text.
 */
export class Outgoing {
	private redact = redactorOfAnyKey();

	/** Says which key has to be removed. Until then, everything that looks like a key is. */
	withhold(apiKey: unknown): void {
		this.redact = redactor(apiKey);
	}

	/** Data, such as the result of a method. */
	value<Value>(value: Value): Value {
		return this.redact(value);
	}

	/** Output items. */
	async items(items: INodeExecutionData[]): Promise<INodeExecutionData[]> {
		const cleaned: INodeExecutionData[] = [];
		for (const item of items) {
			const json = this.redact(item.json);
			cleaned.push(json === item.json ? item : { ...item, json });
			await yieldToEventLoop();
		}
		return cleaned;
	}

	/** Hints for the editor. */
	hints(hints: NodeExecutionHint[]): NodeExecutionHint[] {
		return hints.map(({ message, ...hint }) => ({
			...hint,
			message: shortened(plainText(this.redact(message)), longestHint),
		}));
	}

	/** An error, which is changed itself, down to what caused it. */
	error(error: unknown): unknown {
		if (!(error instanceof Error)) return this.redact(error);
		this.clean(error, new Set());
		const { description } = error as { description?: string };
		Object.assign(error, inPlainText({ message: error.message, description }));
		return error;
	}

	private clean(error: Error, seen: Set<Error>): void {
		if (seen.has(error)) return;
		seen.add(error);
		for (const name of Object.getOwnPropertyNames(error)) {
			const value: unknown = Reflect.get(error, name);
			if (value instanceof Error) this.clean(value, seen);
			// The node is n8n's own object, which the workflow goes on with.
			else if (name !== 'node') Reflect.set(error, name, this.redact(value));
		}
		if (error.stack) error.stack = shortened(error.stack, longestStack);
	}
}

/** A method of the node that n8n calls while the user edits it. */
type Method<Context, Args extends unknown[], Result> = (
	this: Context,
	...args: Args
) => Promise<Result>;

/** Wraps the credential test so that its result and its errors go through `Outgoing`. */
export function outgoingTest<Result>(
	test: Method<ICredentialTestFunctions, [ICredentialsDecrypted], Result>,
) {
	return outgoing(test, async (_context, [{ data }]) => data?.apiKey);
}

/**
 * Wraps a method that fills a list in the editor so that its result and its errors go through
 * `Outgoing`.
 */
export function outgoingMethod<Args extends unknown[], Result>(
	method: Method<ILoadOptionsFunctions, Args, Result>,
) {
	// Where no credential is chosen yet, there is no key.
	return outgoing(method, async (context) => await apiKeyOf(context).catch(() => ''));
}

/** The key of the credential that is chosen for the node. */
export async function apiKeyOf(context: NodeContext): Promise<string> {
	const { credential } = await nodeCredential(context);
	return credential.apiKey;
}

function outgoing<Context, Args extends unknown[], Result>(
	method: Method<Context, Args, Result>,
	apiKeyFor: (context: Context, args: Args) => Promise<unknown>,
): Method<Context, Args, Result> {
	return async function (...args) {
		const way = new Outgoing();
		try {
			way.withhold(await apiKeyFor(this, args));
			return way.value(await method.apply(this, args));
		} catch (error) {
			throw way.error(error);
		}
	};
}
