import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { pass } from '../harness/clock.mts';
import type { Answer, Change } from './history.mts';

/** A request of the node, with the headers that the credential has given it. */
export type Asked = IHttpRequestOptions & { body?: string };

/** A response as n8n's HTTP client gives it. */
export interface Response {
	statusCode: number;
	headers: object;
	body: string;
}

export const idOf = (index: number) => `0000000${index}-0000-4000-8000-000000000000`;
export const addressOf = (index: number) => `r${index}@example.com`;

const dates = { createdAt: '2024-01-01T00:00:00.000Z', updatedAt: '2024-01-01T00:00:00.000Z' };

const contacts = [0, 1, 2, 3].map((index) => ({
	id: idOf(index),
	firstName: `First ${index}`,
	email: addressOf(index),
	phone: null,
	tags: ['a'],
	...dates,
}));

/**
 * Answers a request. @param answer undefined for the right one
 * @throws what n8n's client throws, which has the request with its headers
 */
export async function answerTo(asked: Asked, answer: Answer | undefined): Promise<Response> {
	await pass(10);
	if (!answer) return { statusCode: 200, headers: {}, body: JSON.stringify(rightAnswer(asked)) };
	if (answer === 'silence') return await new Promise<never>(() => {});
	if ('thrown' in answer) {
		const { thrown, code } = answer;
		throw Object.assign(new Error(thrown, { cause: { config: asked } }), { code, config: asked });
	}
	const { body, ...rest } = answer;
	return { ...rest, body: typeof body === 'string' ? body : changed(rightAnswer(asked), body) };
}

/** What the interface has the service answer. */
function rightAnswer({ method, url, qs = {}, body = '{}' }: Asked): object {
	const [path, number] = [new URL(url).pathname, Number(/0000000(\d)/.exec(url)?.[1])];
	const sent = JSON.parse(body) as IDataObject;
	if (method === 'PUT') return { data: { ...contacts[number], ...sent } };
	if (method === 'POST') {
		const { to, subject = 'Welcome', idempotencyKey } = sent;
		return { data: { id: idOf(9), status: 'sent', to, subject, idempotencyKey, source: 'api' } };
	}
	if (path.endsWith('/articles/search')) {
		return { data: { articles: [{ id: 'a1', title: 'One' }], totalCount: 1 } };
	}
	if (!path.endsWith('/contacts')) return { data: [{ id: 'x1', title: 'One', ...dates }] };
	const { page = 1, limit = 20 } = qs as { page?: number; limit?: number };
	const data = contacts.slice((page - 1) * limit, page * limit);
	const totals = { totalCount: contacts.length, totalPages: Math.ceil(contacts.length / limit) };
	return { data, meta: { pagination: { page, limit, ...totals } } };
}

/** An answer as JSON with changes: each place is a value within, and what is put there is JSON. */
function changed(answer: object, changes: Change[]): string {
	const root = structuredClone({ answer });
	const puts: string[] = [];
	const mark = (json: string) => `@put ${puts.push(json) - 1}@`;
	for (const { place, name, json } of changes) {
		const all = valuesIn(root);
		const { owner, name: at } = all[place % all.length];
		const more = () => ({ ...Object(owner[at]), [mark(JSON.stringify(name))]: mark(json) });
		owner[at] = name === undefined ? mark(json) : more();
	}
	const text = JSON.stringify(root.answer);
	return text.replace(/"@put (\d+)@"/g, (_all, number) => puts[number]);
}

/** All values within one, each with its path. */
export function valuesIn(
	owner: Record<string, any>,
	before = '',
): Array<{ owner: Record<string, any>; name: string; path: string }> {
	return Object.entries(owner).flatMap(([name, value]) => [
		{ owner, name, path: before + name },
		...(typeof value === 'object' && value ? valuesIn(value, `${before}${name}.`) : []),
	]);
}
