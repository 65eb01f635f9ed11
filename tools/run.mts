import { join } from 'node:path';
import { execa } from 'execa';

/**
 * Runs a command of the project, whose tools are found even if npm hasn't put them on the PATH.
 * `all` is what it printed, and part of the error that is thrown if it fails.
 */
export const run = execa({
	preferLocal: true,
	localDir: join(import.meta.dirname, '..'),
	stdin: 'ignore',
	all: true,
});

/** Shows what a command prints, and leaves it to the command to say why it failed. */
export const shown = { stdout: 'inherit', stderr: 'inherit', reject: false } as const;

/** Shows what a command prints, and ends as it does: with 1 if it was killed, or couldn't be started. */
export async function endAs(command: string, args: string[]): Promise<void> {
	const { exitCode = 1 } = await run(command, args, shown);
	process.exitCode = exitCode;
}
