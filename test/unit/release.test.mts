import { expect, test } from '@jest/globals';
import { placeholders } from '../../tools/release.mts';

const real = {
	author: { name: 'Nathan', email: 'nathan@crm.test' },
	homepage: 'https://crm.test/n8n-nodes-crm-workspace',
	repository: { type: 'git', url: 'git+https://crm.test/n8n-nodes-crm-workspace.git' },
};

test('a package with an author, a homepage and a repository may be released', () => {
	expect(placeholders(real)).toEqual([]);
});

test.each([
	['author', { name: 'Nathan', email: 'nathan@example.com' }],
	['homepage', 'https://example.com/n8n-nodes-crm-workspace'],
	['repository', { type: 'git', url: 'https://example.com/n8n-nodes-crm-workspace.git' }],
	['author', undefined],
])('an example value, or none, in %s keeps it back', (field, value) => {
	expect(placeholders({ ...real, [field]: value })).toEqual([field]);
});
