import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One n8n that the package is tested in. */
export interface N8nVersion {
	n8n: string;
	/** The Node.js that its tests run on: one that its own package.json allows. */
	node: string;
	/** Its engine: the versions of `n8n-core` and `n8n-workflow` that it names. */
	core: string;
	workflow: string;
	/** What an install of the engine takes beside the two. */
	engineNeeds: Needs;
	/** What an install of the whole n8n takes beside it; absent where it is not started. */
	needs?: Needs;
}

/** What npm has to be shown. */
export interface Needs {
	dependencies?: Record<string, string>;
	overrides?: Record<string, string>;
}

/**
 * Versions of what n8n depends on, newer ones of which do not fit it. The older n8n have no lock file
 * here: npm takes for each of their dependencies what there was on this day.
 */
export const asOf = '2026-11-20';

/** The n8n of the demo and of the end-to-end tests: which one it is stands in package.json. */
export const pinned: N8nVersion = {
	n8n: manifest('playground').dependencies.n8n,
	node: manifest('.').devDependencies.node,
	core: manifest('.').devDependencies['n8n-core'],
	workflow: manifest('.').devDependencies['n8n-workflow'],
	engineNeeds: {},
	needs: { overrides: manifest('playground').overrides },
};

const langgraph = {
	'@langchain/langgraph': '1.0.2',
	'@langchain/langgraph-checkpoint': '1.0.0',
	'@langchain/langgraph-sdk': '1.0.3',
};
const readers = { linkedom: '0.18.12', xlsx: '0.18.5' };
const zod = { 'zod-to-json-schema': '3.23.3' };
const node22 = '22.23.3';

/** Older ones, the oldest first. */
export const older: N8nVersion[] = [
	{
		n8n: '1.85.4',
		node: '20.20.2',
		core: '1.84.0',
		workflow: '1.83.0',
		// The undici of the tests wants Node.js 22.
		engineNeeds: { dependencies: { undici: '7.16.0' }, overrides: zod },
		needs: { overrides: { '@langchain/core': '0.3.30', ...zod, ...readers } },
	},
	{
		n8n: '1.123.81',
		node: node22,
		core: '1.122.48',
		workflow: '1.120.31',
		engineNeeds: {},
		needs: { overrides: { ...langgraph, ...readers } },
	},
	{
		n8n: '2.0.3',
		node: node22,
		core: '2.0.2',
		workflow: '2.0.1',
		engineNeeds: {},
		needs: { overrides: { ...langgraph, ...readers } },
	},
	{
		n8n: '2.14.2',
		node: node22,
		core: '2.14.1',
		workflow: '2.14.1',
		engineNeeds: {},
		needs: {
			dependencies: { '@opentelemetry/core': '2.1.0' },
			overrides: { ...langgraph, ...readers },
		},
	},
	{ n8n: '2.20.12', node: node22, core: '2.20.6', workflow: '2.20.3', engineNeeds: {} },
	{ n8n: '2.30.8', node: node22, core: '2.30.4', workflow: '2.30.2', engineNeeds: {} },
];

/** All of them, the oldest first. */
export const versions: N8nVersion[] = [...older, pinned];

/**
 * Compares two final versions, such as `2.14` and `2.9.1`, as `sort` wants it: number by number, and
 * a longer one comes after what it begins with.
 */
export const { compare: compareVersions } = new Intl.Collator('en', { numeric: true });

function manifest(folder: string) {
	return JSON.parse(readFileSync(join(import.meta.dirname, '..', folder, 'package.json'), 'utf8'));
}
