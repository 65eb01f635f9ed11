import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { links } from '../../tools/links.mts';
import { absolute } from '../../tools/markdown/absolute.mts';
import { anchors } from '../../tools/markdown/anchors.mts';
import { references } from '../../tools/markdown/references.mts';

test('every link and picture of the documents leads somewhere', () => {
	const { broken, external } = links('.');
	expect(broken).toEqual([]);
	expect(external).toContain('https://n8n.io');
});

describe('what leads nowhere is shown with file and line', () => {
	const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-links-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	function write(file: string, text: string): void {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), text);
	}

	beforeEach(() => {
		write('package.json', '{}');
		write('README.md', '# Title\n\n## A _part_ of `it`, here\n');
		write('docs/guide.md', '# Guide\n\n<a name="named"></a>\n');
		write('docs/a.png', '');
	});

	test.each([
		['[a file](docs/guide.md)'],
		['[a folder](docs)'],
		['[an anchor](#a-part-of-it-here)'],
		['[an anchor elsewhere](docs/guide.md#guide)'],
		['[an anchor of HTML](docs/guide.md#named)'],
		['![a picture](docs/a.png)'],
		[
			'<picture><source srcset="docs/a.png 1x, docs/a.png 2x"><img src="docs/a.png" alt="A"></picture>',
		],
		['[someone else](https://n8n.io)'],
		['`[code](nowhere.md)` and `https://crm.example.com`'],
		['```\n[code](nowhere.md)\n```'],
	])('not %j', (markdown) => {
		write('README.md', `# Title\n\n## A _part_ of \`it\`, here\n\n${markdown}\n`);
		expect(links(folder).broken).toEqual([]);
	});

	test.each([
		['[a file](docs/nothing.md)', 'docs/nothing.md does not exist'],
		['[a file][ref]\n\n[ref]: nothing.md', 'nothing.md does not exist', 5],
		['[a file](../package.json)', '../package.json leads out of the repository'],
		['[an anchor](#nothing)', '#nothing is no anchor here'],
		['[an anchor](docs/guide.md#title)', 'docs/guide.md#title has no such anchor'],
		['[an anchor](docs/a.png#title)', 'docs/a.png#title has no such anchor'],
		['![a picture](docs/b.png)', 'docs/b.png does not exist'],
		['![](docs/a.png)', 'docs/a.png is a picture without an alternative text'],
		['<img src="docs/a.png">', 'docs/a.png is a picture without an alternative text'],
		['<img src="docs/b.png" alt="B">', 'docs/b.png does not exist'],
		['<picture><source srcset="docs/a.png, docs/b.png 2x"></picture>', 'docs/b.png does not exist'],
		['<a href="nothing.md">a file</a>', 'nothing.md does not exist'],
		['| a | b |\n| - | - |\n| c | [d](e.md) |', 'e.md does not exist', 5],
		['[![a](docs/a.png)](nothing.md)', 'nothing.md does not exist'],
		['- one\n- two\n\n  [three](four.md)', 'four.md does not exist', 6],
		['[someone](http://n8n.io)', 'http://n8n.io is not https'],
		['<https://example.org/x>', 'https://example.org/x is an example address: write it as code'],
		['we@example.com', 'mailto:we@example.com is an example address: write it as code'],
	])('%j', (markdown, flaw, line = 3) => {
		write('README.md', `# Title\n\n${markdown}\n`);
		expect(links(folder).broken).toEqual([`README.md:${line}: ${flaw}`]);
	});

	test("in an example's notes, which are read where no other file is", () => {
		const content = '## Note\n\nSee [the guide](../docs/guide.md).';
		const workflow = { nodes: [{ parameters: {} }, { parameters: { content } }] };
		write('examples/one.json', JSON.stringify(workflow, undefined, 2));
		expect(links(folder).broken).toEqual([
			'examples/one.json:8: ../docs/guide.md is no address, and in n8n there are no files of the repository',
		]);
		rmSync(join(folder, 'examples'), { recursive: true });
	});

	test('in what n8n links to', () => {
		const resources = { primaryDocumentation: [{ url: 'https://n8n.io/x#nothing' }] };
		write('nodes/One.node.json', JSON.stringify({ resources }));
		expect(links(folder).broken).toEqual([
			'nodes/One.node.json: primaryDocumentation leads to #nothing, which README.md does not have',
		]);
		rmSync(join(folder, 'nodes'), { recursive: true });
	});
});

test('anchors are those of GitHub', () => {
	const markdown = '# A & B\n\n## `GET /x`: one\n\n## Same\n\n## Same\n\n<a id="here"></a>\n';
	expect([...anchors(markdown)]).toEqual(['a--b', 'get-x-one', 'same', 'same-1', 'here']);
});

describe('a document that is read elsewhere', () => {
	const version = { repository: 'https://github.com/automat/crm', tag: 'v1.2.3' };
	const file = 'https://github.com/automat/crm/blob/v1.2.3';
	const raw = 'https://raw.githubusercontent.com/automat/crm/v1.2.3';

	test.each([
		[
			'[a](docs/a.md#b) and [c](./LICENSE.md "C")',
			`[a](${file}/docs/a.md#b) and [c](${file}/LICENSE.md "C")`,
		],
		['[`docs/a.md`](docs/a.md)', `[\`docs/a.md\`](${file}/docs/a.md)`],
		['[a][ref]\n\n[ref]: docs/a.md', `[a][ref]\n\n[ref]: ${file}/docs/a.md`],
		['![a](docs/a.png)', `![a](${raw}/docs/a.png)`],
		['[![a](a.png)](a.png)', `[![a](${raw}/a.png)](${file}/a.png)`],
		[
			'| a |\n| - |\n| [b](c.md) `[b](c.md)` [b](c.md) |',
			`| a |\n| - |\n| [b](${file}/c.md) \`[b](c.md)\` [b](${file}/c.md) |`,
		],
		[
			'<picture><source media="(x)" srcset="a.svg 1x, b.svg 2x"><img alt="docs" src="a.svg"></picture>',
			`<picture><source media="(x)" srcset="${raw}/a.svg 1x, ${raw}/b.svg 2x"><img alt="docs" src="${raw}/a.svg"></picture>`,
		],
		["<p><a href='examples'>x</a></p>", `<p><a href='${file}/examples'>x</a></p>`],
	])('leads to its version: %j', (markdown, expected) => {
		expect(absolute(markdown, version)).toBe(expected);
	});

	test.each([
		['[a](#b)'],
		['[a](https://n8n.io/docs/a.md)'],
		['<https://n8n.io> https://n8n.io nathan@n8n.io'],
		['`[a](b.md)`'],
		['```\n![a](b.png)\n```'],
		['    [a](b.md)'],
		['\\[a](b.md)'],
		['<img alt="a" src="https://n8n.io/a.png">'],
	])('keeps %j', (markdown) => {
		expect(absolute(markdown, version)).toBe(markdown);
	});

	test('refuses a picture whose address it does not find', () => {
		expect(() => absolute('![a][ref]\n\n[ref]: b.png', version)).toThrow('not in its place');
	});
});

test('of links, pictures and code, places are shown one by one', () => {
	const markdown = 'A `[b](c)` [b](c), ![d](e)';
	const places = references(markdown).map(({ start, end }) => markdown.slice(start - 2, end + 1));
	expect(places).toEqual(['](c)', '](e)']);
});
