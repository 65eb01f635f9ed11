import { spawn } from 'node:child_process';

/** Runs a command of the project and passes on what it prints. */
export async function run(
	command: string,
	args: string[] = [],
	surroundings: Surroundings = {},
): Promise<void> {
	const code = await exitCode(command, args, 'inherit', surroundings);
	if (code !== 0) throw new CommandFailed(command, args, code);
}

/** Where a command runs, and what its environment has beside this one's. */
export interface Surroundings {
	folder?: string;
	environment?: Record<string, string>;
}

/** Runs a command whose output only matters when it fails. */
export async function runQuietly(
	command: string,
	args: string[] = [],
	surroundings: Surroundings = {},
): Promise<string> {
	const output: Buffer[] = [];
	const collect = (chunk: Buffer) => output.push(chunk);
	const code = await exitCode(command, args, 'pipe', surroundings, collect);
	const text = Buffer.concat(output).toString();
	if (code !== 0) throw new CommandFailed(command, args, code, text);
	return text;
}

export class CommandFailed extends Error {
	/** Gulp prints no stack of an error that says so: where a command was called from is no clue. */
	readonly showStack = false;

	constructor(command: string, args: string[], code: number | null, output = '') {
		super(`${output}\n${[command, ...args].join(' ')} ended with ${code}`.trim());
		this.name = 'CommandFailed';
	}
}

function exitCode(
	command: string,
	args: string[],
	stdio: 'inherit' | 'pipe',
	{ folder, environment }: Surroundings,
	onOutput?: (chunk: Buffer) => void,
): Promise<number | null> {
	// Ctrl-C reaches the command too, which ends in its own way; this process waits for that.
	process.on('SIGINT', ignore);
	return new Promise<number | null>((resolve, reject) => {
		const child = spawn(command, args, {
			stdio: ['ignore', stdio, stdio],
			cwd: folder,
			env: { ...process.env, ...environment },
		});
		if (onOutput) {
			child.stdout?.on('data', onOutput);
			child.stderr?.on('data', onOutput);
		}
		child.once('error', reject);
		child.once('close', resolve);
	}).finally(() => process.off('SIGINT', ignore));
}

function ignore() {}
