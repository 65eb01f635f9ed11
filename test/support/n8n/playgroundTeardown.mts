import { randomUUID } from 'node:crypto';
import type { N8n } from '../../../playground/client.mts';
import { type Searched, searchLeftBehind } from '../keys/leftBehind.mts';

/**
 * Jest's global teardown of the end-to-end tests: no key that a test gave to n8n is in anything that
 * is left behind. The search proves itself on keys of its own, one in each form, in an execution.
 *
 * @throws an Error that names the places where there is one, or says what was not found
 */
export default async function tearDown(): Promise<void> {
	const { playground, leftBehind } = globalThis.endToEnd;
	// To be looked at, if something is found.
	leftBehind.keep();
	const planted = plantable();
	await plant(playground.n8n, Object.values(planted)).finally(() => playground.stop());

	const own = Object.keys(planted);
	const { found, keys, ...counts } = searchLeftBehind(leftBehind.path, own);
	for (const key of own) {
		if (!isInAnExecution(found, key)) throw new Error(`Not found: a key as '${planted[key]}'`);
		found.delete(key);
	}
	const places = new Set([...found.values()].flatMap((each) => [...each]));
	const summary = { ...counts, keys: keys - own.length, hits: places.size };
	console.log(`Key search: ${JSON.stringify(summary)}`);
	if (places.size > 0)
		throw new Error(`A key is in ${leftBehind.path}:\n${[...places].join('\n')}`);
	leftBehind.remove();
}

/** Keys, and for each the form in which it is planted. */
function plantable(): Record<string, string> {
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	const forms: Array<(key: string) => string> = [
		(key) => key,
		(key) => encodeURIComponent(`key=${key}&`),
		(key) => base64(`${key}.`),
		(key) => base64(`:${key}.`),
		(key) => base64(`a:${key}.`),
		(key) => Buffer.from(`Bearer ${key}`).toString('base64url'),
	];
	return Object.fromEntries(
		forms.map((form) => {
			const key = `sk_test_${randomUUID()}~~??/`;
			return [key, form(key)];
		}),
	);
}

async function plant(n8n: N8n, texts: string[]): Promise<void> {
	const jsCode = `return ${JSON.stringify(texts)}.map((text) => ({ json: { text } }));`;
	const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
		...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, parameters },
		position: [0, 0],
	});
	const workflow = await n8n.createWorkflow({
		name: 'Planted keys',
		nodes: [node('Start', 'manualTrigger', 1, {}), node('Keys', 'code', 2, { jsCode })],
		connections: { Start: { main: [[{ node: 'Keys', type: 'main', index: 0 }]] } },
	});
	await n8n.run(workflow, 'Start');
}

function isInAnExecution(found: Searched['found'], key: string): boolean {
	return [...(found.get(key) ?? [])].some((place) => place.endsWith(', execution_data.data'));
}
