import { parseArgs } from 'node:util';
import { engineFolderOf, nodeIn } from '../playground/installed.mts';
import { type N8nVersion, pinned, versions } from '../playground/versions.mts';
import { type Kind as Tests, type Results, writeCompatibility } from './compatibility.mts';
import { installEngine, installWhole } from './installN8n.mts';
import { CommandFailed, run } from './run.mts';

const usage = `Runs the tests of the node in every n8n of playground/versions.mts, and writes docs/compatibility.md.

  --real            end-to-end tests in a real n8n of some versions, not engine tests in all
  --only <list>     these versions, such as 1.85.4,2.0.3; the others keep their results`;

/** The n8n that are started. */
const started = ['1.123.81', '2.14.2', pinned.n8n];

/** End-to-end tests of what is no matter of n8n's version, and of the editor and examples of the pinned one. */
const ofThePinned =
	/contactChooser|dryRun|editor|examples|foreignText|mapFields|package|pastedTokens/;

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

async function main(name: Tests, only?: string[]): Promise<void> {
	const kind = { real, engine }[name];
	const chosen = only ? versions.filter(({ n8n }) => only.includes(n8n)) : kind.versions;
	const results: Results = new Map();
	for (const version of chosen) results.set(version, await testIn(version, kind));
	writeCompatibility(name, results);
	if ([...results.values()].includes(false)) process.exitCode = 1;
}

/** @returns whether all tests passed */
async function testIn(version: N8nVersion, kind: Kind): Promise<boolean> {
	console.log(`\n── n8n ${version.n8n} on Node.js ${version.node}`);
	const begun = Date.now();
	const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
	if (await kind.install(version)) console.log(`installed in ${seconds()}`);
	const environment: Record<string, string> =
		version === pinned ? {} : { N8N_UNDER_TEST: version.n8n };
	try {
		await run(kind.node(version), [jest, ...kind.flags], { environment });
		return true;
	} catch (error) {
		if (!(error instanceof CommandFailed)) throw error;
		return false;
	} finally {
		console.log(`tested in ${seconds()}`);
	}
}
