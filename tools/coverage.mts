import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import coverage from 'istanbul-lib-coverage';
import report from 'istanbul-lib-report';
import reports from 'istanbul-reports';

/** Where Jest puts what the tests of one project have reached. */
const folderOf = (project: string) => join('.cache', 'coverage', project);

/** What makes Jest note which code the tests of a project reach: see `collectCoverageFrom`. */
export function coverageFlags(project: string): string[] {
	rmSync(folderOf(project), { recursive: true, force: true });
	return ['--coverage', '--coverageReporters=json', `--coverageDirectory=${folderOf(project)}`];
}

/**
 * Says which part of the code the tests of some projects reach together, in statements, branches,
 * functions and lines, and writes which it is as web pages into coverage/.
 */
export function reportCoverage(projects: readonly string[]): void {
	const map = coverage.createCoverageMap();
	for (const project of projects) {
		map.merge(JSON.parse(readFileSync(join(folderOf(project), 'coverage-final.json'), 'utf8')));
	}
	const context = report.createContext({ dir: 'coverage', coverageMap: map });
	reports.create('html').execute(context);

	const summary = map.getCoverageSummary();
	for (const kind of ['statements', 'branches', 'functions', 'lines'] as const) {
		const { pct, covered, total } = summary[kind];
		console.log(`${kind.padEnd(10)} ${pct} % reached (${covered} of ${total})`);
	}
}
