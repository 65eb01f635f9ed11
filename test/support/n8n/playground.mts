import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { N8n } from '../../../playground/client.mts';
import {
	startPlayground,
	type Playground,
	type PlaygroundOptions,
} from '../../../playground/start.mts';

// An execution in n8n takes longer than Jest's five seconds, and much longer on a busy machine.
jest.setTimeout(180_000);

/** The n8n that `playgroundSetup.mts` started for all end-to-end tests. */
export function playground(): {
	n8n: N8n;
	/** Of its owner. */
	password: string;
	dataFolder: string;
	/** The packed package, for tests that need an n8n instance of their own. */
	tarball: string;
	log(): string;
} {
	const { url, cookie, password, dataFolder, tarball } = JSON.parse(process.env.PLAYGROUND!);
	return {
		n8n: new N8n(url, cookie),
		password,
		dataFolder,
		tarball,
		log: () => readFileSync(join(dataFolder, 'n8n.log'), 'utf8'),
	};
}

/** Another n8n with the same package, for tests that need two or kill one. */
export async function startAnotherN8n(environment?: Record<string, string>): Promise<Playground> {
	return await startOwnN8n({ tarball: playground().tarball, environment });
}

/**
 * An n8n of a test's own. What it leaves behind is searched for keys with all the rest, when every
 * test has run.
 */
export async function startOwnN8n(
	options: Pick<PlaygroundOptions, 'tarball' | 'environment'>,
): Promise<Playground> {
	const { leftBehind } = JSON.parse(process.env.PLAYGROUND!);
	return await startPlayground({ ...options, dataFolder: mkdtempSync(join(leftBehind, 'n8n-')) });
}
