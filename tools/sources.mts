/** Everything that the published package is made of or by. */
export const sources = [
	'credentials',
	'nodes',
	'package.json',
	'tsconfig.json',
	'README.md',
	'CHANGELOG.md',
	'SECURITY.md',
	'LICENSE.md',
];
