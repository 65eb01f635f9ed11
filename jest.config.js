const swc = [
	'@swc/jest',
	{
		jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
		module: { type: 'commonjs' },
	},
];

/** Where the engine of an older n8n is, for the tests of the node: see tools/versions.mts. */
const { N8N_UNDER_TEST: older } = process.env;
const engine = `<rootDir>/.playground/engine-${older}`;

/** What then comes from there, too. */
const ofEngine = ['n8n-core', 'n8n-workflow', 'reflect-metadata'];

/** What Jest takes only as CommonJS, which it becomes. @param modules ES modules of node_modules */
const compiled = (...modules) => ({
	transform: { '^.+\\.m?ts$': swc, [`/node_modules/(${modules.join('|')})/.+\\.js$`]: swc },
	transformIgnorePatterns: [`/node_modules/(?!(${modules.join('|')})/)`],
});

/** Libraries that are ES modules only. */
const esModules = ['get-port', 'marked', 'p-wait-for'];

/** One project for each folder of test/: `npx jest --selectProjects unit`. */
const project = (name) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	moduleFileExtensions: ['mts', 'ts', 'js', 'json', 'node'],
	testPathIgnorePatterns: process.env.BRIEFLY ? ['[.]atLength[.]'] : [],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.playground/', '<rootDir>/.cache/'],
	...compiled(...esModules),
});

const inOlderEngine = older && {
	moduleNameMapper: { [`^(${ofEngine.join('|')})$`]: `${engine}/node_modules/$1` },
	// On Node.js 24 Jest takes these of n8n as they are.
	...compiled(...esModules, 'p-retry', 'is-network-error'),
};

/** A sandbox for each worker. */
const sandboxes = {
	globalSetup: '<rootDir>/test/support/sandbox/sandboxSetup.mts',
	globalTeardown: '<rootDir>/test/support/sandbox/sandboxTeardown.mts',
};

/** One n8n for all end-to-end tests. */
const playground = {
	globalSetup: '<rootDir>/test/support/n8n/playgroundSetup.mts',
	globalTeardown: '<rootDir>/test/support/n8n/playgroundTeardown.mts',
};

module.exports = {
	maxWorkers: '100%',
	// A machine that is busy with other things takes longer, and no test is about that.
	testTimeout: 120_000,
	// With --coverage: what ships, in coverage/index.html.
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: ['html', 'text-summary'],
	projects: [
		project('unit'),
		{ ...project('sandbox'), ...sandboxes },
		{
			...project('engine'),
			...inOlderEngine,
			...sandboxes,
			setupFilesAfterEnv: ['<rootDir>/test/support/engine/eachTest.mts'],
		},
		project('models'),
		{ ...project('e2e'), ...playground },
		{ ...project('queue'), globalSetup: '<rootDir>/test/queue/setup.mts' },
	],
};
