import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { engineFolderOf, nodeIn } from '../playground/installed.mts';
import { type N8nVersion, pinned, versions } from '../playground/versions.mts';
import { type Column, table, writeCompatibility } from './compatibility.mts';
import { installEngine, installWhole } from './installN8n.mts';
import { CommandFailed, run } from './run.mts';

const usage = `Runs the tests of the node in every n8n of playground/versions.mts, and writes docs/compatibility.md.

  --real            end-to-end tests in a real n8n of some versions, not engine tests in all
  --only <list>     these versions, such as 1.85.4,2.0.3; the others are shown as they were last`;

/** The n8n that are started. */
const started = ['1.123.81', '2.14.2', pinned.n8n];

/** End-to-end tests of what is no matter of n8n's version, and of the editor and examples of the pinned one. */
const ofThePinned =
	/contactChooser|dryRun|editor|examples|foreignText|mapFields|package|pastedTokens/;

const reports = '.cache/test-reports';
const jest = 'node_modules/jest/bin/jest.js';

/** One of the two kinds of tests. */
interface Kind {
	versions: N8nVersion[];
	install: (version: N8nVersion) => Promise<boolean>;
	/** The Node.js that runs the tests. */
	node: (version: N8nVersion) => string;
	flags: string[];
}

const engine: Kind = {
	versions,
	install: (version) => (version === pinned ? Promise.resolve(false) : installEngine(version)),
	node: (version) => (version === pinned ? process.execPath : nodeIn(engineFolderOf(version))),
	flags: ['--selectProjects', 'engine'],
};

const real: Kind = {
	versions: versions.filter(({ n8n }) => started.includes(n8n)),
	install: installWhole,
	node: () => process.execPath,
	flags: [
		...['--selectProjects', 'e2e', '--runInBand'],
		...['--testPathIgnorePatterns', ofThePinned.source],
	],
};

const { values } = parseArgs({
	options: {
		real: { type: 'boolean', default: false },
		only: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});
if (values.help) console.log(usage);
else await main(values.real ? 'real' : 'engine', values.only?.split(','));

async function main(name: 'real' | 'engine', only?: string[]): Promise<void> {
	const kind = { real, engine }[name];
	const chosen = only ? versions.filter(({ n8n }) => only.includes(n8n)) : kind.versions;
	for (const version of chosen) await testIn(version, kind, name);

	const columns = versions.flatMap((version) => {
		const file = reportOf(name, version);
		if (!existsSync(file)) return [];
		return [columnOf(version, JSON.parse(readFileSync(file, 'utf8')))];
	});
	console.log(`\n${table(columns)}`);
	writeCompatibility(name, columns);
	if (columns.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

function reportOf(name: string, { n8n }: N8nVersion): string {
	return join(reports, `${name}-${n8n}.json`);
}

/** Leaves a report. */
async function testIn(version: N8nVersion, kind: Kind, name: string): Promise<void> {
	console.log(`\n── n8n ${version.n8n} on Node.js ${version.node}`);
	const begun = Date.now();
	const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
	if (await kind.install(version)) console.log(`installed in ${seconds()}`);

	const report = reportOf(name, version);
	rmSync(report, { force: true });
	mkdirSync(reports, { recursive: true });
	const output = ['--json', `--outputFile=${report}`];
	const environment: Record<string, string> =
		version === pinned ? {} : { N8N_UNDER_TEST: version.n8n };
	try {
		await run(kind.node(version), [jest, ...kind.flags, ...output], { environment });
	} catch (error) {
		if (!(error instanceof CommandFailed)) throw error;
	}
	console.log(`tested in ${seconds()}`);
}

/** What Jest reports of a run. */
interface Report {
	success: boolean;
	numRuntimeErrorTestSuites: number;
	testResults: Array<{
		name: string;
		assertionResults: Array<{ status: string; title: string; fullName: string }>;
	}>;
}

function columnOf(version: N8nVersion, report: Report): Column {
	const column: Column = { version, failed: 0, cells: {}, leftOut: {} };
	for (const { name, assertionResults } of report.testResults) {
		const cell = { passed: 0, failed: 0, leftOut: 0 };
		for (const { status, fullName } of assertionResults) {
			if (status === 'passed') cell.passed++;
			else if (status === 'failed') cell.failed++;
			else {
				cell.leftOut++;
				const reason = /\[n8n [\d.]+ ([^\]]+)\]/.exec(fullName)?.[1] ?? 'no reason is given';
				column.leftOut[reason] = (column.leftOut[reason] ?? 0) + 1;
			}
		}
		column.cells[basename(name, '.test.mts')] = cell;
		column.failed += cell.failed;
	}
	// Jest can fail without a failed test: a file that does not load, a broken teardown.
	column.failed += report.numRuntimeErrorTestSuites;
	if (!report.success) column.failed = Math.max(column.failed, 1);
	return column;
}
