import { request } from 'undici';

import type { Beginning } from '../../sandbox/state.mts';
import type { Sandbox } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

/** What the service answered. */
interface ServiceAnswer {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed if it is JSON, else the text. */
	body: any;
}

interface CallOptions {
	/** The key to send; null for none. */
	key?: string | null;
	headers?: Record<string, string>;
}

/** A client of this worker's sandbox, reset before each test. @param beginning how it then is */
export function useService(beginning: Partial<Beginning> = {}) {
	const sandbox = sandboxInTests(beginning);
	const control: Sandbox['control'] = (...args) => sandbox.control(...args);

	async function call(
		method: string,
		path: string,
		body?: unknown,
		{ key, headers }: CallOptions = {},
	): Promise<ServiceAnswer> {
		const answer = await request(sandbox.baseUrl + path, {
			method,
			headers: {
				...(key === null ? {} : { authorization: `Bearer ${key ?? sandbox.testKey}` }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
		});
		const { statusCode: status, headers: received } = answer;
		return { status, headers: received, body: parsed(await answer.body.text()) };
	}

	return {
		sandbox,
		call,
		control,
		/** Sends a message; what is not given is a small inline message. */
		send: (fields: object = {}, options?: CallOptions) =>
			call('POST', '/transactional/send', { ...inlineMessage, ...fields }, options),
		variants: async (variants: object) => void (await control('PATCH', '/variants', variants)),
		inbox: async (mode = 'test'): Promise<any[]> =>
			(await control('GET', `/inbox?mode=${mode}`)).data,
		/** Ada, Grace, Alan and the others as the service lists them. */
		contacts: async (): Promise<any[]> => (await control('GET', '/contacts')).data,
	};
}

/** What a send needs at least, with html. */
export const inlineMessage = {
	to: 'ada.lovelace@example.com',
	subject: 'A small message',
	html: '<p>Hello</p>',
};

/** A UUID that stands for nothing. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
