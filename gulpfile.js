/**
 * The map of the project's tasks; `npx gulp --tasks` prints it. Options and words are for the npm
 * scripts: `npm run demo -- --once`, `npm run test:engine -- errors`.
 */
const { dest, parallel, series, src, watch } = require('gulp');
const { compileOnChange, dist, show } = require('./tools/dev.mts');
const { endAs } = require('./tools/run.mts');
const { briefly, report, runGroup } = require('./tools/test.mts');

command('setup', 'Install the tools and the pinned n8n', 'node tools/setup.mjs');
command('build', 'Build dist', 'n8n-node build');
command('pack', 'Build and pack what npm would publish', 'node tools/pack.mts');
command('scan', "Check that package as n8n's reviewers do", 'node tools/scan.mts');
command('sandbox', 'Start the service on this machine', 'node sandbox/main.mts');
command('demo', 'Run the examples in n8n against the sandbox', 'node tools/demo.mts');
command('examples', 'Write examples/ as n8n exports them', 'node tools/export-examples.mts');
command('schemas', 'Write the fields that n8n shows before a run', 'node tools/export-schemas.mts');

const assets = 'nodes/**/{*.svg,__schema__/**}';
const copyAssets = () => src(assets, { encoding: false }).pipe(dest(`${dist}/nodes`));
const watchAssets = () => watch(assets, copyAssets);
const watching = parallel(compileOnChange, watchAssets);
task('dev', 'n8n with the node, which takes over each change', series(show, watching));

const checks = [
	group('format', 'the one way in which all files are laid out'),
	group('lint', "n8n's linter for verified community nodes, and one for what doesn't ship"),
	group('types', 'the type check of what ships and of what does not'),
	group('language', 'the words of documents and of comments'),
	group('links', 'links and anchors of all documents'),
];
group('unit', 'parts of the code by themselves, without an n8n instance');
group('sandbox', 'the sandbox, rule by rule of the interface');
group('engine', "the node inside n8n's own engine, against the sandbox");
const models = group('models', 'generated histories in simulated time, held against promises');
// Four groups in one run of Jest.
const code = counted('unit, sandbox, engine, models');
const e2e = group('e2e', 'workflows in the pinned n8n, driven over HTTP');
const queue = group('queue', "the pinned n8n's queue mode, on a real Redis and PostgreSQL");

// One row computes while the other waits for n8n.
const rows = parallel(series(...checks, code), series(e2e, queue));
task('test', 'Every group of tests in brief, with a count of each', series(briefly, rows, report));
task('test:atLength', 'Test: all that these have', series(parallel(models, e2e), report));
command('test:planted', 'Which tests find planted mistakes', 'node test/planted/main.mts');
command('test:versions', 'Test the node in other n8n versions', 'node tools/versions.mts');

function task(name, description, work) {
	exports[name] = Object.assign(work, { displayName: name, description });
	return work;
}

/** A task that counts the tests of a group. */
function group(name, description) {
	return task(`test:${name}`, `Test: ${description}`, counted(name));
}

function counted(name) {
	return Object.assign(() => runGroup(name), { displayName: name });
}

/** A task that is a command. */
function command(name, description, line) {
	const [program, ...args] = line.split(' ');
	task(name, description, async () => {
		// Ctrl-C reaches the command, too: gulp ends after it.
		process.once('SIGINT', () => {});
		await endAs(program, args);
	});
}
