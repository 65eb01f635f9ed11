import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { variantDefinitions } from '../../sandbox/variants.mts';

const read = (file: string) => readFileSync(file, 'utf8');

/** The requirements: lines such as `- **SEND-4** …`. */
const requirements = Array.from(
	read('docs/interface.md').matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.+)$/gm),
	([, id, text]) => ({ id, text }),
);
const ids = requirements.map(({ id }) => id);

/** The IDs that comments cite: `Interface: SEND-4, KEY-2.`, perhaps over several lines. */
const cited = globSync('{nodes,credentials,sandbox,test}/**/*.{ts,mts}').flatMap((file) =>
	Array.from(read(file).matchAll(/Interface: ((?:[A-Z]+-\d+[,\s*/]*)+)\./g), ([, list]) => list)
		.flatMap((list) => list.match(/[A-Z]+-\d+/g)!)
		.map((id) => ({ file, id })),
);

test('each requirement has an ID of its own, and a comment that cites it', () => {
	const known = new Set(cited.map(({ id }) => id));
	expect(ids.length).toBeGreaterThan(100);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter((id) => !known.has(id))).toEqual([]);
});

test('comments cite only requirements that exist', () => {
	expect(cited.filter(({ id }) => !ids.includes(id))).toEqual([]);
});

test('an open question names the variants of the sandbox for it', () => {
	const variants = Object.entries(variantDefinitions).map(([name, { leftOpenBy }]) => {
		return { name, openIn: leftOpenBy.split(':')[0].split(', ') };
	});
	expect(variants.flatMap(({ openIn }) => openIn).filter((id) => !ids.includes(id))).toEqual([]);
	for (const { id, text } of requirements.filter((one) => one.id.startsWith('OPEN'))) {
		const names = variants.filter(({ openIn }) => openIn.includes(id)).map(({ name }) => name);
		expect([id, ...(text.split('Variants: ')[1]?.match(/\w+/g) ?? [])]).toEqual([id, ...names]);
	}
});
