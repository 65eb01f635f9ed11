/**
 * The map of the project's jobs; `npx gulp --tasks` prints it. Each job is one script, and
 * arguments after a job's name go along: `npx gulp demo --once`.
 */
const { run } = require('./tools/run.mts');

const groups = {
	format: 'the one way in which all files are laid out',
	lint: "n8n's linter for verified community nodes",
	types: 'the type check of what ships and of what does not',
	language: 'the words of documents, texts in the editor, errors and comments',
	links: 'links and anchors of all documents',
	unit: 'parts of the code by themselves, without an n8n instance',
	engine: "the node inside n8n's own engine, against the sandbox",
	models: 'generated histories in simulated time, held against what was promised',
	sandbox: 'the sandbox, rule by rule of the interface',
	e2e: 'workflows in the pinned n8n, driven over HTTP',
	queue: "the pinned n8n's queue mode, on a real Redis and PostgreSQL",
};

job('setup', 'Install the tools and the pinned n8n, unless they are there', 'tools/setup.mjs');
job('build', 'Build dist', 'tools/build.mts');
job('pack', 'Build and pack what npm would publish, unless nothing changed', 'tools/pack.mts');
job('scan', "Run the check of n8n's reviewers on what npm would publish", 'tools/scan.mts');
job('sandbox', 'Start the service on this machine', 'sandbox/main.mts');
job('examples', 'Write examples/ as n8n exports them', 'tools/export-examples.mts');
job('schemas', 'Write the fields that n8n shows before a run', 'tools/export-schemas.mts');
job('docs:language', 'Check the words of documents and texts', 'tools/language.mts');

job('demo', 'Run the examples in n8n against the sandbox (--once: and stop)', 'tools/demo.mts');

job('test', 'Every group of tests, with a count of each', 'tools/test.mts');
for (const [name, description] of Object.entries(groups)) {
	job(`test:${name}`, `Test: ${description}`, 'tools/test.mts', name);
}

job(
	'test:atLength',
	'Test: all that these groups have, as a release wants it',
	'tools/test.mts',
	'models',
	'e2e',
);
job(
	'test:planted',
	'Test: which tests find mistakes that are planted in the code (--only NAME)',
	'test/planted/main.mts',
);

job(
	'test:versions',
	'Test: the node in other n8n versions (--only VERSION, --real: in n8n instances)',
	'tools/versions.mts',
);

function job(name, description, script, ...args) {
	exports[name] = () => run('node', [script, ...args, ...further()]);
	exports[name].displayName = name;
	exports[name].description = description;
}

/** What was typed after the job's name. */
function further() {
	const named = process.argv.findIndex((argument, index) => index > 1 && argument in exports);
	return named === -1 ? [] : process.argv.slice(named + 1);
}
