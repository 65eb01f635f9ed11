import { readFileSync } from 'node:fs';
import type { Measured } from '../case.mts';
import { pinned } from '../../playground/versions.mts';
import { thisMachine, type Machine } from './machine.mts';

/** What came of a case, as `docs/benchmarks.json` has it. */
export interface StoredCase extends Measured {
	/** When: `2026-11-22`, in UTC. */
	date: string;
	/** Versions. */
	n8n: string;
	node: string;
	machine: Machine;
}

/** The cases of the document, by their names on the command line and in its order. */
export type Stored = Record<string, StoredCase>;

/** What there is to keep of a case that was measured just now, on this machine. */
export function toStore(measured: Measured): StoredCase {
	return {
		date: new Date().toISOString().slice(0, 10),
		n8n: pinned.n8n,
		node: process.versions.node,
		machine: thisMachine(),
		...measured,
	};
}

/**
 * What the document has after a run. A case that was not run keeps what it had, and one that there
 * is no more goes.
 * @param names of all cases there are, in order
 */
export function merged(names: string[], before: Stored, measured: Stored): Stored {
	const all = { ...before, ...measured };
	return Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
}

/**
 * The cases of a file; none if there is no file.
 * @throws an Error when it is no JSON
 */
export function readStored(file: string): Stored {
	try {
		return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Stored }).cases;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
		throw new Error(`${file}: ${(error as Error).message}`);
	}
}
