import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (file: string) => readFileSync(file, 'utf8');

/** The requirements: lines such as `- **SEND-4** …`. */
const ids = read('docs/interface.md').match(/(?<=^- \*\*)[A-Z]+-\d+(?=\*\* )/gm)!;

/** The IDs that comments cite: `Interface: SEND-4, KEY-2.`, perhaps over several lines. */
const cited = globSync('{nodes,credentials,sandbox,test}/**/*.{ts,mts}').flatMap((file) =>
	Array.from(read(file).matchAll(/Interface: ((?:[A-Z]+-\d+[,\s*/]*)+)\./g), ([, list]) => list)
		.flatMap((list) => list.match(/[A-Z]+-\d+/g)!)
		.map((id) => ({ file, id })),
);

test('each requirement has an ID of its own, and a test that cites it', () => {
	const known = new Set(cited.filter(({ file }) => /^test\b/.test(file)).map(({ id }) => id));
	expect(ids.length).toBeGreaterThan(100);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter((id) => !known.has(id))).toEqual([]);
});

test('comments cite only requirements that exist', () => {
	expect(cited.filter(({ id }) => !ids.includes(id))).toEqual([]);
});
