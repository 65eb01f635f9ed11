import { contestants, type Case, type Figure, type FurtherTable } from '../case.mts';
import { leastTimeOf } from './bound.mts';
import { playAll, strictest } from './play.mts';
import type { Came, Scenario } from './scenario.mts';
import { seconds } from './statistics.mts';

const pageSize = 100;
const rows = 10_000;

/** A sync of so many rows, of which so many change something. */
interface Kind {
	rows: number;
	changes: number;
	contestant: Scenario['contestant'];
}

/** A kind and what came of it. */
type Played = Kind & { came: Came };

/**
 * The nightly sync of a table that has all contacts, few of which changed. This node matches by email
 * and skips unchanged contacts. HTTP Request has the ID of each contact, and makes one PUT per row. The
 * bound is the fewest requests of either way.
 */
export const sync: Case = {
	title: 'The nightly sync',
	async run({ isQuick, progress }) {
		const sizes = isQuick ? [1_000, rows] : [1_000, rows, 100_000];
		const grown = sizes.map((size) => ({ rows: size, changes: size / 50 }));
		const others = [0, rows].map((changes) => ({ rows, changes }));
		const kinds = [...others, ...grown].flatMap((kind) => [
			{ ...kind, contestant: 'ours' as const },
			{ ...kind, contestant: 'other' as const },
		]);
		const all = await playAll(kinds.map(scenarioOf), progress);
		const played = kinds.map((kind, index) => checked({ ...kind, came: all[index] }));
		return {
			figures: [0, rows / 50, rows].flatMap((changes) => figuresOf({ rows, changes }, played)),
			tables: [growthTable(grown, played)],
		};
	},
};

function scenarioOf({ rows: items, changes, contestant }: Kind): Scenario {
	const batch = { batchSize: 60, batchInterval: 61_000 };
	return {
		contestant,
		limiter: strictest,
		seed: 1,
		processes: [[{ kind: 'sync', items, changes, at: 0, batch }]],
	};
}

/** @throws Error when not all rows are in the service that ought to be */
function checked(played: Played): Played {
	const { rows, changes, contestant, came } = played;
	const [{ error }] = came.jobs;
	const updates = contestant === 'ours' ? changes : rows;
	if (error === undefined && came.updated === updates) return played;
	throw new Error(
		`${contestants[contestant]}: ${came.updated} of ${updates} updates were made (${error ?? 'no error'})`,
	);
}

/** The fewest requests of either way. */
function fewest({ rows, changes }: Pick<Kind, 'rows' | 'changes'>): number {
	return Math.min(rows, Math.ceil(rows / pageSize) + changes);
}

function find({ rows, changes, contestant }: Kind, played: Played[]): Came {
	return played.find(
		(one) => one.rows === rows && one.changes === changes && one.contestant === contestant,
	)!.came;
}

function figuresOf(kind: Pick<Kind, 'rows' | 'changes'>, played: Played[]): Figure[] {
	const ours = find({ ...kind, contestant: 'ours' }, played);
	const other = find({ ...kind, contestant: 'other' }, played);
	const name = `${number(kind.rows)} rows, ${number(kind.changes)} changes`;
	const requests = fewest(kind);
	return [
		{
			name: `${name}: requests`,
			ours: ours.requests,
			other: other.requests,
			bound: requests,
			unit: 'requests',
			// Each page is read once, and each change is written once.
			atMost: { ours: kind.rows / pageSize + kind.changes },
		},
		{
			name: `${name}: time`,
			ours: seconds(ours.took),
			other: seconds(other.took),
			bound: seconds(leastTimeOf(requests)),
			unit: 's',
		},
		{
			name: `${name}: refusals`,
			ours: ours.refused,
			other: other.refused,
			bound: 0,
			unit: 'requests',
			atMost: { ours: 0 },
		},
	];
}

function growthTable(grown: Array<Pick<Kind, 'rows' | 'changes'>>, played: Played[]): FurtherTable {
	return {
		title: 'How it grows, with one row in fifty changed',
		head: ['rows', 'changes', 'node', 'requests', 'hours'],
		rows: grown.flatMap((kind) =>
			(['ours', 'other'] as const).map((contestant) => {
				const { requests, took } = find({ ...kind, contestant }, played);
				const name = contestants[contestant];
				return [kind.rows, kind.changes, name, requests, hours(took)];
			}),
		),
	};
}

function hours(ms: number): number {
	return ms / 3_600_000;
}

function number(value: number): string {
	return value.toLocaleString('en');
}
