import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { places } from './places.mts';

/**
 * Writes the address of `repository` in package.json wherever else it has to stand.
 *
 * @returns the places that were changed
 * @throws an Error for a place in which there is nothing to replace
 */
export function spreadAddress(folder: string): string[] {
	const behind = places(folder).filter(({ value, expected }) => value !== expected);
	return behind.map(({ file, name, value, expected }) => {
		if (value === undefined) throw new Error(`${file}: ${name} is missing`);
		const path = join(folder, file);
		// In its quotes, single in TypeScript and double in JSON, so that no longer address matches.
		const text = readFileSync(path, 'utf8')
			.replaceAll(`'${value}'`, `'${expected}'`)
			.replaceAll(`"${value}"`, `"${expected}"`);
		writeFileSync(path, text);
		return `${file}: ${name}`;
	});
}

if (import.meta.main) {
	for (const place of spreadAddress('.')) console.log(`release:address: ${place}`);
}
