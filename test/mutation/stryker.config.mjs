import jest from '../../jest.config.js';

const unit = jest.projects.find(({ displayName }) => displayName === 'unit');

/** Tests that say nothing of the modules, or that each mutant cannot wait for. */
const leftOut = [
	// They hold documents, tools and names.
	'atExit|benchReport|imports|interfaceCoverage|keyForms|leftBehind|links',
	'mutationScores|oldN8n|operationTexts|optionsDocumented|packageJson|ports|queueServers|release',
	'requiredParameters|savedNames',
	'workflows',
	// They measure time, or hang on it: mutants are instrumented, and the machine is busy.
	'pool|rateLimiter',
	// Seconds of the trigger, whose modules are not among these.
	'trigger',
];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'nodes/CrmWorkspace/{service,transport}/**/*.ts',
		// These load n8n's own classes, by themselves or by what they import: n8n's engine tests hold
		// them, of which one takes as long as a hundred unit tests.
		'!nodes/CrmWorkspace/service/testCredential.ts',
		'!nodes/CrmWorkspace/transport/{connection,credential,nodeError}.ts',
	],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		projectType: 'custom',
		configFile: 'jest.config.js',
		config: {
			...unit,
			projects: [],
			runner: '<rootDir>/test/mutation/runner.mts',
			roots: ['<rootDir>/nodes', '<rootDir>/credentials', '<rootDir>/test'],
			testPathIgnorePatterns: [`/(${leftOut.join('|')})\\.test`],
		},
	},
	coverageAnalysis: 'perTest',
	incremental: true,
	incrementalFile: '.cache/mutation/incremental.json',
	tempDirName: '.cache/mutation/sandbox',
	// The linter looks into every folder of the project.
	cleanTempDir: 'always',
	ignorePatterns: ['bench', 'coverage', 'dist', 'examples', 'playground', 'sandbox']
		.concat('.cache', '.playground')
		.map((folder) => `/${folder}`),
	reporters: ['clear-text', 'progress', 'html', 'json'],
	clearTextReporter: { reportTests: false, reportMutants: false },
	htmlReporter: { fileName: '.cache/mutation/report.html' },
	jsonReporter: { fileName: '.cache/mutation/report.json' },
	// What goes on for ever is mostly stopped by counting; time is for what waits.
	timeoutMS: 30_000,
	thresholds: { high: 95, low: 90, break: 85 },
};
