import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { N8n } from '../../../playground/client.mts';
import { startPlayground, type Playground } from '../../../playground/start.mts';

// Longer than a start of n8n may take: one that takes too long says so, and is stopped.
jest.setTimeout(600_000);

/** The n8n that `playgroundSetup.mts` started for all end-to-end tests. */
export function playground(): { n8n: N8n; dataFolder: string; tarball: string } {
	const { url, cookie, dataFolder, tarball } = JSON.parse(process.env.PLAYGROUND!);
	return { n8n: new N8n(url, cookie), dataFolder, tarball };
}

/**
 * Another n8n with the same package, for tests that need two or kill one. What it leaves behind is
 * searched for keys with all the rest, when every test has run.
 */
export async function startAnotherN8n(environment?: Record<string, string>): Promise<Playground> {
	const { leftBehind, tarball } = JSON.parse(process.env.PLAYGROUND!);
	const dataFolder = mkdtempSync(join(leftBehind, 'n8n-'));
	return await startPlayground({ tarball, environment, dataFolder });
}
