import { randomUUID } from 'node:crypto';
import { searchLeftBehind } from '../keys/leftBehind.mts';
import { chain, node } from './productionWorkflow.mts';
import { items } from './sending.mts';

/**
 * Jest's global teardown of the end-to-end tests: no key of a credential is in anything that n8n has
 * stored or logged. The search proves itself on keys of its own, one in each form, in an execution.
 *
 * @throws an Error with the places where a key is, or with the form in which none was found
 */
export default async function tearDown(): Promise<void> {
	const { playground, leftBehind } = globalThis.endToEnd;
	// To be looked at, if something is found.
	leftBehind.keep();
	const planted = new Map(forms.map((form) => [`sk_test_${randomUUID()}~~??/`, form]));
	try {
		const { n8n } = playground;
		const texts = [...planted].map(([key, form]) => ({ text: form(key) }));
		const workflow = await n8n.createWorkflow({
			name: 'Planted keys',
			nodes: [node('Start', 'n8n-nodes-base.manualTrigger', 1, {}), items(texts)],
			connections: chain('Start', 'Items'),
		});
		await n8n.run(workflow, 'Start');
	} finally {
		await playground.stop();
	}

	const { found, keys, ...counts } = searchLeftBehind(leftBehind.path, [...planted.keys()]);
	for (const [key, form] of planted) {
		const places = [...(found.get(key) ?? [])];
		if (!places.some((place) => place.endsWith(', execution_data.data')))
			throw new Error(`Not found: a key as '${form(key)}'`);
		found.delete(key);
	}
	console.log(`Key search: ${JSON.stringify({ ...counts, keys: keys - planted.size })}`);
	const places = [...new Set([...found.values()].flatMap((each) => [...each]))];
	if (places.length > 0) throw new Error(`A key is in ${leftBehind.path}:\n${places.join('\n')}`);
	leftBehind.remove();
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The forms in which a key may stand in a text. */
const forms: Array<(key: string) => string> = [
	(key) => key,
	(key) => encodeURIComponent(`key=${key}&`),
	(key) => base64(`${key}.`),
	(key) => base64(`:${key}.`),
	(key) => base64(`a:${key}.`),
	(key) => Buffer.from(`Bearer ${key}`).toString('base64url'),
];
