import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A version of n8n that the package is tested in. */
export interface N8nVersion {
	n8n: string;
	/** The Node.js that it runs on. */
	node: string;
	/** The Node.js of its engine tests, if they need a newer one. */
	testNode?: string;
	/** Its engine: the versions of `n8n-core` and `n8n-workflow` that its package.json names. */
	core: string;
	workflow: string;
	/** What npm has to install in place of newer versions that don't fit. */
	overrides?: Record<string, string>;
	/** The day whose versions of all other dependencies npm takes. */
	before?: string;
}

/** The n8n of the demo and of the end-to-end tests, as package.json and `playground/package.json` pin it. */
export const pinned: N8nVersion = {
	n8n: manifest('playground').dependencies.n8n,
	node: manifest('.').devDependencies.node,
	core: manifest('.').devDependencies['n8n-core'],
	workflow: manifest('.').devDependencies['n8n-workflow'],
	overrides: manifest('playground').overrides,
};

const before = '2026-11-20';
const readers = { linkedom: '0.18.12', xlsx: '0.18.5' };

/** The oldest that the package supports, the last n8n 1, and the pinned one. */
export const versions: N8nVersion[] = [
	{
		n8n: '1.85.4',
		node: '20.20.2',
		testNode: '22.23.3',
		core: '1.84.0',
		workflow: '1.83.0',
		overrides: { '@langchain/core': '0.3.30', 'zod-to-json-schema': '3.23.3', ...readers },
		before,
	},
	{
		n8n: '1.123.81',
		node: '22.23.3',
		core: '1.122.48',
		workflow: '1.120.31',
		overrides: {
			'@langchain/langgraph': '1.0.2',
			'@langchain/langgraph-checkpoint': '1.0.0',
			'@langchain/langgraph-sdk': '1.0.3',
			...readers,
		},
		before,
	},
	pinned,
];

/** Compares two versions such as `2.14` and `2.9.1`, for `sort`. */
export const { compare: compareVersions } = new Intl.Collator('en', { numeric: true });

function manifest(folder: string) {
	return JSON.parse(readFileSync(join(import.meta.dirname, '..', folder, 'package.json'), 'utf8'));
}
