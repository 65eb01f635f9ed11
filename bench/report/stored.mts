import { readFileSync } from 'node:fs';
import os from 'node:os';
import { pinned } from '../../playground/versions.mts';
import type { Measured } from '../case.mts';

/** What came of a case, as `docs/benchmarks.json` has it. */
export interface StoredCase extends Measured {
	/** In UTC: `2026-11-22`. */
	date: string;
	n8n: string;
	node: string;
	/** It has no names of hosts, users or folders. */
	machine: { cpu: string; cores: number; memoryGb: number; system: string };
}

/** By the names of the cases. */
export type Stored = Record<string, StoredCase>;

/** What to keep of a case that was just measured on this machine. */
export function toStore({ figures, tables }: Measured): StoredCase {
	const cpus = os.cpus();
	return {
		date: new Date().toISOString().slice(0, 10),
		n8n: pinned.n8n,
		node: process.versions.node,
		machine: {
			cpu: cpus[0]?.model.trim() || 'unknown',
			cores: cpus.length,
			memoryGb: Math.round(os.totalmem() / 1e9),
			system: `${os.type()} ${os.release().split('-')[0]}`,
		},
		figures,
		tables,
	};
}

/**
 * The stored cases after a run. A case that wasn't run keeps its figures; one that was removed goes.
 * @param names of all cases, in order
 */
export function merged(names: string[], before: Stored, measured: Stored): Stored {
	const all = { ...before, ...measured };
	return Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
}

/** @throws an Error if there is no such file, or it isn't JSON */
export function readStored(file: string): Stored {
	return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Stored }).cases;
}
