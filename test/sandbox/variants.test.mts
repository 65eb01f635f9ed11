import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

import { variantDefinitions, variantNames } from '../../sandbox/variants.mts';
import { useService } from './service.mts';

const service = useService();
const readme = readFileSync(resolve('sandbox/README.md'), 'utf8');

describe('variants', () => {
	test('each starts with its first value', async () => {
		const variants = await service.control('GET', '/variants');
		for (const name of variantNames) {
			expect(variants[name]).toBe(variantDefinitions[name].allowed[0]);
		}
	});

	test.each(variantNames)('%s takes each of its values and no other', async (name) => {
		for (const value of variantDefinitions[name].allowed) {
			const variants = await service.control('PATCH', '/variants', { [name]: value });
			expect(variants[name]).toBe(value);
			expect((await service.call('GET', '/contacts')).status).toBeLessThan(300);
		}
		await expect(service.control('PATCH', '/variants', { [name]: 'other' })).rejects.toThrow(/400/);
	});

	test.each(variantNames)('%s says what it means and which requirements leave it open', (name) => {
		const { meaning, leftOpenBy } = variantDefinitions[name];
		expect(meaning).toMatch(/^[A-Z`].*\.$/);
		expect(leftOpenBy).toMatch(/^[A-Z]+-\d+(, [A-Z]+-\d+)*: .+\.$/);
	});

	test('all are shown with their values and meanings where the README leads', async () => {
		expect(readme).toContain(`${service.sandbox.controlUrl.replace(/:\d+/, ':8787')}/view`);
		const { variants } = await service.control('GET', '/view');
		expect(variants).toEqual(
			variantNames.map((name) => ({
				name,
				value: variantDefinitions[name].allowed[0],
				...variantDefinitions[name],
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
			variantNames.map((name) => [name, variantDefinitions[name].allowed]),
		);
		expect(shown).toEqual(
			shown.map(([name]) => [name, known[name]?.map((value) => `\`${value}\``).join(', ')]),
		);
	});
});
