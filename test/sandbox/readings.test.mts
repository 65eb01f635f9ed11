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

	test.each(readingNames)('%s says what it means and which requirements leave it open', (name) => {
		const { meaning, leftOpenBy } = readingDefinitions[name];
		expect(meaning).toMatch(/^[A-Z`].*\.$/);
		expect(leftOpenBy).toMatch(/^[A-Z]+-\d+(, [A-Z]+-\d+)*: .+\.$/);
	});

	test('all are shown with their values and meanings where the README leads', async () => {
		expect(readme).toContain(`${service.sandbox.controlUrl.replace(/:\d+/, ':8787')}/view`);
		const { readings } = await service.control('GET', '/view');
		expect(readings).toEqual(
			readingNames.map((name) => ({
				name,
				value: readingDefinitions[name].allowed[0],
				...readingDefinitions[name],
			})),
		);
	});

	test('the README shows some, each with all of its values', () => {
		const shown = [...readme.matchAll(/^- `(\w+)`: (`.+`)\./gm)].map(([, name, values]) => [
			name,
			values,
		]);
		expect(shown.length).toBeGreaterThan(5);
		const known = Object.fromEntries(
			readingNames.map((name) => [name, readingDefinitions[name].allowed]),
		);
		expect(shown).toEqual(
			shown.map(([name]) => [name, known[name]?.map((value) => `\`${value}\``).join(', ')]),
		);
	});
});
