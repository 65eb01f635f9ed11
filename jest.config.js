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

/** What then comes from there, too; the undici of the tests wants Node.js 22. */
const ofEngine = ['n8n-core', 'n8n-workflow', 'reflect-metadata'];
if (parseInt(process.versions.node) < 22) ofEngine.push('undici');

/** One project for each folder of test/: `npx jest --selectProjects unit`. */
const project = (name) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	moduleFileExtensions: ['mts', 'ts', 'js', 'json', 'node'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.playground/', '<rootDir>/.cache/'],
	transform: { '^.+\\.m?ts$': swc },
});

/** Modules of n8n that Jest takes as they are on Node.js 24 only. */
const modern = '/node_modules/(p-retry|is-network-error)/.+\\.js$';

const inOlderEngine = older && {
	moduleNameMapper: { [`^(${ofEngine.join('|')})$`]: `${engine}/node_modules/$1` },
	transform: { '^.+\\.m?ts$': swc, [modern]: swc },
	transformIgnorePatterns: [`/node_modules/(?!(p-retry|is-network-error)/)`],
};

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
		...['unit', 'sandbox'].map(project),
		{ ...project('engine'), ...inOlderEngine },
		{ ...project('e2e'), ...playground },
		{ ...project('queue'), globalSetup: '<rootDir>/test/queue/setup.mts' },
	],
};
