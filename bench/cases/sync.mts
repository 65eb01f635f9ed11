import type { Row } from '../case.mts';
import { play, type Scenario } from '../simulated/scenario.mts';

const pageSize = 100;

/**
 * The nightly sync of a table that has all contacts. This node matches by email and skips unchanged
 * contacts. HTTP Request has the ID of each contact, and makes one PUT per row.
 */
export async function sync(isQuick: boolean): Promise<Row[]> {
	const items = isQuick ? 1_000 : 10_000;
	const count = items.toLocaleString('en');
	const changes = items / 50;
	const few = `${count} rows, ${changes} changed (HTTP Request: PUT per row)`;
	return [
		{ ...(await rowOf(few, { items, changes })), isInReadme: true },
		await rowOf('no row changed', { items, changes: 0 }),
		await rowOf('all rows changed', { items, changes: items }),
	];
}

async function rowOf(name: string, size: { items: number; changes: number }): Promise<Row> {
	const batch = { batchSize: 60, batchInterval: 61_000 };
	const scenario = { work: 'sync' as const, beginsAt: [0], batch, seed: 1, ...size };
	const ours = await playSync({ ...scenario, contestant: 'ours' }, size.changes);
	const other = await playSync({ ...scenario, contestant: 'other' }, size.items);
	// Each page is read once, and each change is written once.
	const atMost = size.items / pageSize + size.changes;
	const time = { ours: ours.seconds, other: other.seconds, unit: 's', atMost: atMost + 60 };
	return {
		name: `Nightly sync: ${name}`,
		figures: [{ ours: ours.requests, other: other.requests, unit: 'requests', atMost }, time],
	};
}

/** @throws an Error if not all rows are in the service that ought to be */
async function playSync(scenario: Scenario, updates: number) {
	const outcome = await play(scenario);
	const { updated, errors } = outcome;
	if (updated === updates && errors.length === 0) return outcome;
	throw new Error(`${scenario.contestant}: ${updated} of ${updates} updates (${errors})`);
}
