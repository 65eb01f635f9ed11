import { contestants, type Case, type Figure, type FurtherTable, type Lines } from '../case.mts';
import { leastTimeOf } from './bound.mts';
import { playAll, strictest } from './play.mts';
import type { Came, Scenario } from './scenario.mts';
import { seconds } from './statistics.mts';
import { howSimulated } from './words.mts';

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

/** The nightly sync of a table whose rows mostly say what is so already. */
export const sync: Case = {
	title: 'The nightly sync',
	about: `A table of last night holds all contacts, and some of its rows have changed since. The table is written to the service at 60 requests a minute. ${howSimulated} Requests are counted in a sliding window.

This node updates contacts by email with *Skip Unchanged* and automatic mapping: it reads all contacts, 100 a request, and writes those that differ. The HTTP Request node makes one PUT for each row, 60 every 61,000 ms (*Batching*), with *Retry On Fail*. It is given the ID of each contact in the row, so the requests to find it out are not counted. A workflow of six nodes, with pagination, *Split Out*, *Compare Datasets*, *Code*, *Wait* and a PUT, makes as few requests as this node, and takes about as long; to compare right, and to go on after a fault, is then up to its maker. The bound is the fewest requests of either way, reading and writing what differs or writing everything, and the least time that these take.

With 10,000 changes of 10,000 rows the HTTP Request node makes 1 % fewer requests, because the 100 that read the contacts save nothing then. Who knows the IDs can give them to this node, too, and have it write without reading.`,
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
			plots: [growthPlot(grown, played, 'requests'), growthPlot(grown, played, 'hours')],
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

function growthPlot(
	grown: Array<Pick<Kind, 'rows' | 'changes'>>,
	played: Played[],
	values: 'requests' | 'hours',
): Lines {
	return {
		kind: 'lines',
		name: `sync-${values}`,
		title: `A sync with one row in fifty changed: ${values}`,
		values,
		along: 'rows',
		isLogarithmic: true,
		points: grown.flatMap((kind) =>
			(['ours', 'other'] as const).map((contestant) => {
				const { requests, took } = find({ ...kind, contestant }, played);
				const value = values === 'requests' ? requests : hours(took);
				return { series: contestants[contestant], at: kind.rows, value };
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
