import { setPriority } from 'node:os';
import { join } from 'node:path';
import { execa, ExecaError, type Options } from 'execa';

/** Where a command runs, and what its environment has beside this one's. */
export interface Surroundings {
	folder?: string;
	environment?: Record<string, string>;
	/** Whether it leaves most of a busy processor to others, with all that it starts. */
	letsOthersPass?: boolean;
}

/**
 * Runs a command of the project and passes on what it prints.
 * @throws CommandFailed, or what kept it from being started
 */
export async function run(
	command: string,
	args: string[] = [],
	surroundings: Surroundings = {},
): Promise<void> {
	await toItsEnd(command, args, surroundings, { stdout: 'inherit', stderr: 'inherit' });
}

/**
 * Runs a command whose output only matters when it fails.
 * @returns all that it printed
 * @throws CommandFailed with all that it printed, or what kept it from being started
 */
export async function runQuietly(
	command: string,
	args: string[] = [],
	surroundings: Surroundings = {},
): Promise<string> {
	return String(await toItsEnd(command, args, surroundings, { all: true, maxBuffer: Infinity }));
}

/** As the system counts: with it, a process has a third of what others have. */
const lowered = 5;

/** A command was started and did not succeed. */
export class CommandFailed extends Error {
	/** Gulp prints no stack of an error that says so: where a command was called from is no clue. */
	readonly showStack = false;

	constructor({ all = '', command, signal, exitCode }: ExecaError) {
		super(`${all}\n${command} ended with ${signal ?? exitCode}`.trim());
		this.name = 'CommandFailed';
	}
}

async function toItsEnd(
	command: string,
	args: string[],
	{ folder, environment, letsOthersPass }: Surroundings,
	output: Options,
) {
	// Ctrl-C reaches the command too, which ends in its own way; this process waits for that.
	process.on('SIGINT', ignore);
	try {
		const started = execa(command, args, {
			...output,
			stdin: 'ignore',
			cwd: folder,
			env: environment,
			// Also where npm has not put the tools of the project on the PATH.
			preferLocal: true,
			localDir: join(import.meta.dirname, '..'),
		});
		if (letsOthersPass && started.pid !== undefined) {
			setPriority(started.pid, lowered);
		}
		return (await started).all;
	} catch (error) {
		const isStarted = error instanceof ExecaError && error.code === undefined;
		throw isStarted ? new CommandFailed(error) : error;
	} finally {
		process.off('SIGINT', ignore);
	}
}

function ignore() {}
