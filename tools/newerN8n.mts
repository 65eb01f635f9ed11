import { join } from 'node:path';
import { compareVersions, pinned } from '../playground/versions.mts';
import { install } from './installN8n.mts';
import { CommandFailed, runQuietly } from './run.mts';

/**
 * Says whether an n8n instance that is newer than the pinned one installs, and runs, with what the pinned one
 * takes: the newest one first, until one does. A version as an argument: that one.
 */
const [asked] = process.argv.slice(2);
const newer = asked ? [asked] : await newerOnes();
if (newer.length === 0) console.log(`There is no n8n that is newer than ${pinned.n8n}.`);
for (const n8n of newer) if (await works(n8n)) break;

/** Final versions, the newest first; of each minor version its last one. */
async function newerOnes(): Promise<string[]> {
	const known: string[] = JSON.parse(await ask('n8n', 'versions'));
	const later = known
		.filter((version) => /^\d+\.\d+\.\d+$/.test(version))
		.filter((version) => compareVersions(version, pinned.n8n) > 0)
		.sort(compareVersions);
	const lastOfMinor = new Map(later.map((version) => [version.replace(/\.\d+$/, ''), version]));
	return [...lastOfMinor.values()].reverse();
}

async function works(n8n: string): Promise<boolean> {
	console.log(`n8n ${n8n}: installing (some 5 minutes)`);
	const folder = join('.playground', `newer-${n8n}`);
	try {
		const { needs = {}, node } = pinned;
		await install({ folder, dependencies: { n8n, node }, needs, native: ['node', 'sqlite3'] });
		const bin = 'node_modules/n8n/bin/n8n';
		const version = await runQuietly('node_modules/node/bin/node', [bin, '--version'], { folder });
		if (!version.includes(n8n)) throw new Error(`it says that it is ${version}`);
	} catch (error) {
		const { message } = error as Error;
		const [reason = message] = /^npm error (?!code).*$/m.exec(message) ?? [];
		console.log(
			`n8n ${n8n}: does not ${error instanceof CommandFailed ? 'install' : 'run'}: ${reason}`,
		);
		return false;
	}
	const engine = JSON.parse(await ask(`n8n@${n8n}`, 'dependencies'));
	console.log(`n8n ${n8n}: installs and runs. To move to it, see playground/README.md. Its engine:
n8n-core ${engine['n8n-core']}, n8n-workflow ${engine['n8n-workflow']}`);
	return true;
}

/** What npm knows of a package, as JSON. */
async function ask(name: string, field: string): Promise<string> {
	const printed = await runQuietly('npm', ['view', name, field, '--json', '--loglevel=error']);
	return printed.slice(printed.search(/^[[{]/m));
}
