import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { streamed } from '../../test/support/simulated/streamed.mts';
import type { Answer } from '../../test/models/harness/service.mts';
import type { Request, Service } from './service.mts';

/** Where the service is; no request leaves the process. */
export const baseUrl = 'https://crm.example.com/api/v1';

/** The options of n8n's request functions, as far as the two nodes use them. */
interface Options {
	method?: string;
	url?: string;
	uri?: string;
	qs?: Request['query'];
	body?: unknown;
}

/** A node whose requests go to the simulated service; all else of n8n's context is real. */
export function overNetwork(node: INodeType, service: Service): INodeType {
	const ask = async (options: Options) => await service.ask(requestOf(options));
	const network = {
		/** For this node: a status of an error is a response, too, and the body is a stream. */
		async httpRequestWithAuthentication(_credential: string, options: Options) {
			return streamed(await ask(options));
		},
		/** For HTTP Request: the error that n8n's client makes of a status. */
		async request(options: Options) {
			const response = await ask(options);
			if (response.statusCode >= 300) throw errorOf(response);
			const body = Buffer.from(response.body);
			return { ...response, statusMessage: '', body };
		},
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

function requestOf({ method = 'GET', url, uri, qs = {}, body = {} }: Options): Request {
	const path = (url ?? uri ?? '').slice(baseUrl.length);
	const parsed = typeof body === 'string' ? JSON.parse(body) : body;
	return { method, path, query: qs, body: parsed };
}

function errorOf({ statusCode, headers, body }: Answer): Error {
	const error = new Error(`${statusCode} - ${JSON.stringify(body)}`);
	const response = { headers, status: statusCode, statusText: '' };
	return Object.assign(error, { statusCode, status: statusCode, error: body, response });
}
