import { describe, test } from '@jest/globals';
import { isSince } from '../../../playground/installed.mts';

/**
 * A test of what an n8n instance before this one does not have.
 * @param _lacks what such an n8n instance does instead, for the reader: `stores no executions`
 */
export const testSince = (n8n: string, _lacks: string) => (isSince(n8n) ? test : test.skip);

/** The same as `testSince` for a block of tests. */
export const describeSince = (n8n: string, _lacks: string) =>
	isSince(n8n) ? describe : describe.skip;

/** A test of what an n8n instance is like that is older than this one. */
export const testBefore = (n8n: string, _has: string) => (isSince(n8n) ? test.skip : test);
