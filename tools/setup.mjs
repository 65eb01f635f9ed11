/**
 * Makes a fresh clone ready: the package's own tools, and the pinned n8n of the playground.
 * Plain JavaScript without dependencies, because it runs before anything is installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const oldestNode = 20;

/**
 * The n8n lives in a dot folder: the package's build copies every picture it finds outside of
 * such folders into dist, and n8n has thousands of them.
 */
const n8nFolder = join(root, '.playground', 'n8n');

if (Number.parseInt(process.versions.node) < oldestNode) {
	fail(`Node ${oldestNode} or newer is needed; this is ${process.version}`);
}
install(root, 'package-lock.json', ['node'], 'the tools (a minute the first time)');
mkdirSync(n8nFolder, { recursive: true });
for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
	copyFileSync(join(root, 'playground', name), join(n8nFolder, name));
}
install(n8nFolder, 'playground/package-lock.json', ['sqlite3'], 'n8n (5 minutes the first time)');

/**
 * Installs what the lock file says, unless the last install here followed the same file.
 * @param native the packages whose install scripts are needed
 */
function install(folder, lock, native, what) {
	const stampFile = join(folder, 'node_modules', '.setup-stamp');
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOf(lock)) return;
	console.error(`setup: installing ${what}`);
	// A fresh clone gets what the lock file says or nothing. What is there is brought up to date,
	// because `npm ci` would remove all of it first: for minutes, and the Node.js that runs this.
	const command = existsSync(join(folder, 'node_modules')) ? 'install' : 'ci';
	npm(folder, command, '--ignore-scripts', '--no-audit', '--no-fund');
	npm(folder, 'rebuild', ...native, '--ignore-scripts=false');
	// Read again: npm may have written the lock file again.
	writeFileSync(stampFile, stampOf(lock));
}

function stampOf(lock) {
	return createHash('sha256')
		.update(readFileSync(join(root, lock)))
		.update(process.platform + process.arch)
		.digest('hex');
}

/** Runs npm. What it prints goes to stderr, because what follows in the same script may print JSON. */
function npm(folder, ...args) {
	const { status, error } = spawnSync('npm', [...args, '--loglevel=error'], {
		cwd: folder,
		stdio: ['ignore', process.stderr, process.stderr],
		// Where npm is a script of the shell.
		shell: process.platform === 'win32',
	});
	if (status !== 0) fail(`npm ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

function fail(reason) {
	console.error(`setup: ${reason}`);
	process.exit(1);
}
