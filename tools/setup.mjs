/**
 * Makes a fresh clone ready: the package's own tools, and the pinned n8n of the playground.
 * Plain JavaScript without dependencies, because it runs before anything is installed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	openSync,
	readFileSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const logFile = join(root, '.cache', 'setup.log');
const oldestNode = 20;

/**
 * The n8n lives in a dot folder: the package's build copies every picture it finds outside of
 * such folders into dist, and n8n has thousands of them.
 */
const n8nFolder = join(root, '.playground', 'n8n');

await main();

async function main() {
	refuseOldNode();
	mkdirSync(join(root, '.cache'), { recursive: true });
	copyManifest();
	await install({
		folder: root,
		lock: 'package-lock.json',
		what: 'the tools',
		native: ['node'],
		usual: 'a minute',
	});
	await install({
		folder: n8nFolder,
		lock: 'playground/package-lock.json',
		what: 'n8n',
		native: ['sqlite3'],
		usual: '5 minutes',
	});
}

/** Puts what npm goes by into the folder that it installs n8n into. */
function copyManifest() {
	mkdirSync(n8nFolder, { recursive: true });
	for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
		copyFileSync(join(root, 'playground', name), join(n8nFolder, name));
	}
}

/** Installs what the lock file says, unless the last install here followed the same file. */
async function install({ folder, lock, what, native, usual }) {
	const stampFile = join(folder, 'node_modules', '.setup-stamp');
	if (read(stampFile) === stampOf(lock)) return;

	await step(`installing ${what} (${usual} the first time)`, async () => {
		// A fresh clone gets what the lock file says or nothing. What is there is brought up to date,
		// because `npm ci` would remove all of it first: for minutes, and the Node.js that runs this.
		const command = existsSync(join(folder, 'node_modules')) ? 'install' : 'ci';
		await npm(folder, [command, '--ignore-scripts', '--no-audit', '--no-fund']);
		// Of all install scripts, those that are needed.
		await npm(folder, ['rebuild', ...native, '--ignore-scripts=false']);
	});
	// Read again: npm may have written the lock file again.
	writeFileSync(stampFile, stampOf(lock));
}

function stampOf(lock) {
	return createHash('sha256')
		.update(readFileSync(join(root, lock)))
		.update(process.platform + process.arch)
		.digest('hex');
}

/** Runs npm silently: its warnings concern no one but are kept for when it fails. */
function npm(folder, args) {
	const log = openSync(logFile, 'w');
	const npmCommand = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	const child = spawn(npmCommand, args, {
		cwd: folder,
		stdio: ['ignore', log, log],
		shell: process.platform === 'win32',
	});
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => {
			if (code === 0) resolve();
			else reject(new Error(`npm ${args.join(' ')} failed:\n${readFileSync(logFile, 'utf8')}`));
		});
	});
}

/**
 * Says what is being done, and every 15 seconds that it still is: on stderr, because what follows in
 * the same npm script may print JSON.
 */
async function step(title, work) {
	const start = Date.now();
	const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
	console.error(`setup: ${title}`);
	const ticker = setInterval(() => console.error(`setup: … ${elapsed()}`), 15_000);
	try {
		await work();
		console.error(`setup: done in ${elapsed()}`);
	} catch (error) {
		console.error(`setup: failed after ${elapsed()}\n${error.message}`);
		process.exit(1);
	} finally {
		clearInterval(ticker);
	}
}

function refuseOldNode() {
	if (Number.parseInt(process.versions.node) >= oldestNode) return;
	console.error(`setup: Node ${oldestNode} or newer is needed; this is ${process.version}`);
	process.exit(1);
}

function read(file) {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
}
