import { codexFiles, packageJson, readJson, type Codex } from './places.mts';

/** The categories of https://docs.n8n.io/connect/create-nodes/build-your-node/reference/codex-files. */
const categories = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];

/**
 * What n8n's documentation of codex files does not have: a `node` that is not the name of the
 * package, and other categories.
 *
 * @returns one line for each
 */
export function codexProblems(folder: string): string[] {
	const { name } = packageJson(folder);
	return codexFiles(folder).flatMap((file) => {
		const codex = readJson(folder, file) as Codex;
		return [
			...(codex.node === name ? [] : [`${file}: node is not ${name}`]),
			...codex.categories
				.filter((category) => !categories.includes(category))
				.map((category) => `${file}: n8n has no category ${category}`),
		];
	});
}
