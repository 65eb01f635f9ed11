import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { pinned, versions } from '../../playground/versions.mts';
import { withResults } from '../../tools/compatibility.mts';

const page = readFileSync('docs/compatibility.md', 'utf8');

test('the page has a line for each version, and keeps what was not tested', () => {
	expect(withResults(page, 'engine', new Map())).toBe(page);
});

test('a result is written to its version alone', () => {
	const [oldest] = versions;
	const failed = withResults(page, 'engine', new Map([[oldest, false]]));
	expect(failed).toContain(`| ${oldest.n8n} | ${oldest.node} | failed | – |`);
	expect(failed).toContain(`| **${pinned.n8n}** | ${pinned.node} | passed | passed |`);
	expect(withResults(failed, 'engine', new Map([[oldest, true]]))).toBe(page);
});
