import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { streamed } from '../../test/support/simulated/streamed.mts';
import { service as addresses } from './play.mts';
import type { Request, Service } from './service.mts';

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
		/** For HTTP Request: any other status ends the run. */
		async request(options: Options) {
			const { statusCode, headers, body } = await ask(options);
			if (statusCode >= 300) throw new Error(`${statusCode} ${body}`);
			return { statusCode, statusMessage: '', headers, body: Buffer.from(body) };
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
	const path = (url ?? uri ?? '').slice(addresses.baseUrl.length);
	const parsed = typeof body === 'string' ? JSON.parse(body) : body;
	return { method, path, query: qs, body: parsed };
}
