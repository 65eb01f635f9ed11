import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import type { Answer } from '../../test/models/harness/service.mts';
import type { Asked } from './service.mts';

/** Where the service is; nothing is ever asked of this address. */
export const baseUrl = 'https://crm.example.com/api/v1';

/** Brings a request to the service, and its answer back. */
export type Ask = (asked: Asked) => Promise<Answer>;

/** What the request functions of n8n are given, as far as the two nodes use it. */
interface Options {
	method?: string;
	url?: string;
	uri?: string;
	qs?: Record<string, unknown>;
	body?: unknown;
}

/** A node type whose requests go through a simulated network; all else of n8n's context is real. */
export function overNetwork(node: INodeType, ask: Ask): INodeType {
	const network = {
		request: legacyRequest(ask),
		httpRequestWithAuthentication: request(ask),
	};
	return {
		description: node.description,
		methods: node.methods,
		async execute(this: IExecuteFunctions) {
			const helpers = { ...this.helpers, ...network };
			const context = Object.create(this, { helpers: { value: helpers } }) as IExecuteFunctions;
			return await node.execute!.call(context);
		},
	};
}

/** How this node asks: an error status is an answer too, and the body is text. */
function request(ask: Ask) {
	return async (_credential: string, options: Options) => {
		const { statusCode, headers, text } = await ask(askedBy(options));
		return { statusCode, headers, body: text };
	};
}

/** How n8n's HTTP Request node asks: an error status is an error as n8n's client makes it. */
function legacyRequest(ask: Ask) {
	return async (options: Options) => {
		const { statusCode, headers, text } = await ask(askedBy(options));
		if (statusCode < 300) {
			return { statusCode, statusMessage: '', headers, body: Buffer.from(text) };
		}
		const error = new Error(`${statusCode} - ${JSON.stringify(text)}`);
		const response = { headers, status: statusCode, statusText: '' };
		throw Object.assign(error, { statusCode, status: statusCode, error: text, response });
	};
}

/** @throws Error for an address that is not of the service */
function askedBy({ method = 'GET', url, uri, qs = {}, body }: Options): Asked {
	const address = url ?? uri ?? '';
	if (!address.startsWith(baseUrl)) throw new Error(`${address} is not in the simulated network`);
	const sent = typeof body === 'string' ? (JSON.parse(body) as Asked['body']) : body;
	const path = address.slice(baseUrl.length);
	return { method, path, query: qs, body: (sent ?? {}) as Asked['body'] };
}
