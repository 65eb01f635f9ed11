import { describe, test } from '@jest/globals';
import { isSince, version } from '../../../playground/installed.mts';

/**
 * A test, or some, of what an n8n instance before this one does not have.
 * @param lacks what such an n8n instance does instead, for the report: `stores no executions`
 */
export function testSince(n8n: string, lacks: string): typeof test {
	return isSince(n8n) ? test : leftOut(test.skip, lacks);
}

/** A test of what an n8n instance is like that is older than this one. */
export function testBefore(n8n: string, has: string): typeof test {
	return isSince(n8n) ? leftOut(test.skip, has) : test;
}

/** The same as `testSince` for a block of tests. */
export function describeSince(n8n: string, lacks: string): typeof describe {
	return isSince(n8n) ? describe : leftOut(describe.skip, lacks);
}

/** The reason stands at the end of the name of what is left out: tools/versions.mts reads it. */
function leftOut<Kind>(skip: unknown, lacks: string): Kind {
	type Add = (name: string, ...rest: unknown[]) => unknown;
	const add = skip as Add & { each: (...table: unknown[]) => Add };
	const named = (name: string) => `${name} [n8n ${version.n8n} ${lacks}]`;
	const one: Add = (name, ...rest) => add(named(name), ...rest);
	const each =
		(...table: unknown[]): Add =>
		(name, ...rest) =>
			add.each(...table)(named(name), ...rest);
	return Object.assign(one, { each }) as Kind;
}
