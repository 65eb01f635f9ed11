import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './run.mts';

/**
 * Builds dist. `n8n-node build` copies every picture of the repository into it; what is neither of
 * the nodes nor of the credentials has no place in the package.
 */
export async function build(): Promise<void> {
	await runQuietly('n8n-node', ['build']);
	for (const name of readdirSync('dist')) {
		if (name !== 'nodes' && name !== 'credentials') rmSync(join('dist', name), { recursive: true });
	}
}

if (import.meta.main) await build();
