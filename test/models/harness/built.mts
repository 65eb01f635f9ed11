import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Answer } from './service.mts';

// Read by n8n as it is loaded: it logs every error of every execution, and here they are the rule.
process.env.N8N_LOG_LEVEL ??= 'silent';

export const root = join(import.meta.dirname, '../../..');

/** Where the package is built. */
const dist = process.env.MODELS_DIST ?? join(root, 'dist');

/**
 * The path of a file of the package as it is built.
 * @throws Error when it is not
 */
export function builtFile(path: string): string {
	const file = join(dist, path);
	if (!existsSync(file)) throw new Error(`${file} is missing: npm run build`);
	return file;
}

/** What a file of the package exports, loaded as n8n does: as CommonJS. */
export function built<Exports>(path: string): Exports {
	return createRequire(import.meta.url)(builtFile(path)) as Exports;
}

export const nodeFile = 'nodes/CrmWorkspace/CrmWorkspace.node.js';

/** Asks the simulated service. */
export type Ask = (url: string, query: Record<string, unknown> | undefined) => Promise<Answer>;

/** As much of n8n's helpers as the node takes to ask a simulated service. */
export function helpersThatAsk(ask: Ask) {
	return {
		async httpRequestWithAuthentication(
			_credential: string,
			{ url, qs }: { url: string; qs?: Record<string, unknown> },
		) {
			const { text, ...rest } = await ask(url, qs);
			return { ...rest, statusMessage: '', body: text };
		},
	};
}

/** A credential for a simulated service, without what else it says. */
export const credential: IDataObject = {
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	authHeader: 'authorization',
	processes: 1,
};
