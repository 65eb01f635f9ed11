import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import JestRunner, { type Test, type TestRunnerOptions, type TestWatcher } from 'jest-runner';

/** What the run without a mutant found of each test file, by its path. */
type Files = Record<string, { names: string[]; took: number }>;

/** In the folder that Stryker copies the project to. */
const filesFound = 'test-files.json';

/**
 * Runs the tests of one mutant: Jest by itself loads every test file to find out that none of its
 * tests is asked for, and goes on after one has failed. Here only files with such a test are
 * loaded, first the one that is named like the module, then the quickest, until a test fails.
 */
export default class MutantRunner extends JestRunner {
	private readonly files: Files = {};

	private hasFailed = false;

	override async runTests(
		tests: Test[],
		watcher: TestWatcher,
		options: TestRunnerOptions,
	): Promise<void> {
		this.on('test-file-failure', () => {
			this.hasFailed = true;
		});
		this.on(
			'test-file-success',
			([{ path }, { numFailingTests, testExecError, testResults, perfStats }]) => {
				if (numFailingTests > 0 || testExecError) this.hasFailed = true;
				this.files[path] = {
					names: testResults.map(({ fullName }) => fullName),
					took: perfStats.runtime,
				};
			},
		);
		if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined) {
			await super.runTests(tests, watcher, options);
			writeFileSync(filesFound, JSON.stringify(this.files));
			return;
		}
		for (const test of this.inOrder(tests)) {
			if (!this.hasFailed) await super.runTests([test], watcher, options);
		}
	}

	private inOrder(tests: Test[]): Test[] {
		const { testNamePattern, nonFlagArgs } = this._globalConfig;
		const found: Files = existsSync(filesFound) ? JSON.parse(readFileSync(filesFound, 'utf8')) : {};
		const asked = testNamePattern ? new RegExp(testNamePattern, 'i') : /(?:)/;
		const own = nonFlagArgs.map((file) => basename(file, '.ts'));
		const rank = ({ path }: Test) =>
			own.includes(basename(path, '.test.mts')) ? -1 : (found[path]?.took ?? 0);
		return tests
			.filter(({ path }) => found[path]?.names.some((name) => asked.test(name)) ?? true)
			.sort((one, other) => rank(one) - rank(other));
	}
}
