const transform = {
	'^.+\\.m?ts$': [
		'@swc/jest',
		{
			jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
			module: { type: 'commonjs' },
		},
	],
};

/** One project for each folder of test/: `npx jest --selectProjects unit`. */
const project = (name) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	moduleFileExtensions: ['mts', 'ts', 'js', 'json', 'node'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.playground/', '<rootDir>/.cache/'],
	transform,
});

/** One n8n for all end-to-end tests. */
const playground = {
	globalSetup: '<rootDir>/test/support/playgroundSetup.mts',
	globalTeardown: '<rootDir>/test/support/playgroundTeardown.mts',
};

module.exports = {
	maxWorkers: '100%',
	// A machine that is busy with other things takes longer, and no test is about that.
	testTimeout: 30_000,
	projects: [
		...['unit', 'engine', 'sandbox'].map(project),
		{ ...project('e2e'), ...playground },
		{ ...project('queue'), globalSetup: '<rootDir>/test/queue/setup.mts' },
	],
};
