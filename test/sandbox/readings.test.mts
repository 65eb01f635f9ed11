import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

import { readingDefinitions, readingNames } from '../../sandbox/readings.mts';
import { useService } from './service.mts';

const service = useService();
const readme = readFileSync(resolve('sandbox/README.md'), 'utf8');

describe('readings', () => {
	test('each starts with its first value', async () => {
		const readings = await service.control('GET', '/readings');
		for (const name of readingNames) {
			expect(readings[name]).toBe(readingDefinitions[name].allowed[0]);
		}
	});

	test.each(readingNames)('%s takes each of its values and no other', async (name) => {
		for (const value of readingDefinitions[name].allowed) {
			const readings = await service.control('PATCH', '/readings', { [name]: value });
			expect(readings[name]).toBe(value);
			expect((await service.call('GET', '/contacts')).status).toBeLessThan(300);
		}
		await expect(service.control('PATCH', '/readings', { [name]: 'other' })).rejects.toThrow(/400/);
	});

	test.each(readingNames)(
		'%s stands in the README with its values and with what leaves it open',
		(name) => {
			const { allowed, leftOpenBy } = readingDefinitions[name];
			const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
			expect(row).toBeDefined();
			const cells = row!
				.replaceAll('\\|', '¦')
				.split('|')
				.map((cell) => cell.trim());
			expect(cells[2]).toBe(allowed.map((value) => `\`${value}\``).join(', '));
			expect(cells[4]).toBe(leftOpenBy.replaceAll('|', '¦'));
		},
	);

	test('the README names no reading that does not exist', () => {
		const table = readme.slice(readme.indexOf('## Readings'), readme.indexOf('## Controls'));
		const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
		expect(named).toEqual(readingNames);
	});
});
