import { readFileSync } from 'node:fs';

/** Where the package is published and by whom: nothing to publish while this is made up. */
const needed = ['author', 'homepage', 'repository'] as const;

/**
 * The fields of a package.json that still have the example values they were begun with.
 *
 * @returns the fields' names; none when the package may be published
 */
export function placeholders(packageJson: Record<string, unknown>): string[] {
	return needed.filter((field) => {
		const value = JSON.stringify(packageJson[field] ?? 'example.com');
		return /\bexample\.(com|org|net)\b/.test(value);
	});
}

if (import.meta.main) {
	const fields = placeholders(JSON.parse(readFileSync('package.json', 'utf8')));
	if (fields.length > 0) {
		console.error(`release: package.json still has example values in ${fields.join(', ')}`);
		process.exitCode = 1;
	}
}
