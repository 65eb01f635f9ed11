import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Has this process end with its event 'exit' when it is asked to end, which takes along what the
 * functions below were given. Without this, a signal ends it without the event.
 * @returns takes that back
 */
export function exitWhenTold(): () => void {
	const interrupted = () => process.exit(130);
	const terminated = () => process.exit(143);
	process.once('SIGINT', interrupted).once('SIGTERM', terminated);
	return () => void process.off('SIGINT', interrupted).off('SIGTERM', terminated);
}

/** Ends a process that this one has started, at the latest when this one ends. */
export function endAtExit(child: ChildProcess, signal: NodeJS.Signals): void {
	const end = () => child.kill(signal);
	// Before any folder goes that it writes to.
	process.prependOnceListener('exit', end);
	child.once('exit', () => process.off('exit', end));
}

/** A folder among the temporary ones. */
export interface ThrowAwayFolder {
	path: string;
	remove(): void;
	/** Leaves it there when this process ends. */
	keep(): void;
}

/** Makes a folder that goes at the latest when this process ends. */
export function throwAwayFolder(prefix: string): ThrowAwayFolder {
	const path = mkdtempSync(join(tmpdir(), prefix));
	// What was killed a moment ago may still write.
	const clear = () => rmSync(path, { recursive: true, force: true, maxRetries: 10 });
	process.once('exit', clear);
	const keep = () => void process.off('exit', clear);
	return {
		path,
		keep,
		remove() {
			keep();
			clear();
		},
	};
}
