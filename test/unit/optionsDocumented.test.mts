import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { INodeProperties } from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { CrmWorkspaceTrigger } from '../../nodes/CrmWorkspace/CrmWorkspaceTrigger.node';

const pages = [
	'README',
	...['send-email', 'update-contact', 'list', 'rate-limits-and-scaling', 'trigger'].map(
		(name) => `docs/${name}`,
	),
];
const text = pages.map((name) => readFileSync(`${name}.md`, 'utf8')).join('\n');

const types = [new CrmWorkspace(), new CrmWorkspaceTrigger()];
const options = types
	.flatMap(({ description }) => description.properties)
	.filter(({ name }) => name === 'options')
	.map((property) => (property.options as INodeProperties[]).map(({ displayName }) => displayName));

test.each([...new Set(options.flat())])(
	'a page for users says what the option %s is for',
	(name) => {
		expect(text.replaceAll('*', '_')).toContain(`_${name}_`);
	},
);

test('the user finds options in the order of the alphabet', () => {
	expect(options).toEqual(options.map((names) => [...names].sort()));
});
