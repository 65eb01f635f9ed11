import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type {
	Claim,
	Fate,
	Place,
} from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/memory';
import {
	placeAfter,
	type Answer,
	type Verdict,
} from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/placeAfter';

const document = join(import.meta.dirname, '../../docs/what-a-message-is-known-by.md');

/** What a place can be before an answer; nothing is tried where a send has failed. */
const befores = ['nothing', 'open', 'sent', 'doubtful', 'rejected'] as const;
type Before = (typeof befores)[number];

/** Whose claims are there: none, that of the message, that of another one, or both. */
const claimants = ['nobody', 'it', 'another', 'both'] as const;
type Claimant = (typeof claimants)[number];

const answers: Answer[] = [
	'sent',
	'doubtful',
	'rejected',
	'untouched',
	'turnedDown',
	'lost',
	'failed',
	'failedNow',
	'otherContent',
];

const its: Claim = { turn: 'turn 1', name: '0', execution: 0 };
const anothers: Claim = { turn: 'turn 2', name: '0', execution: 0 };
const claimsOf: Record<Claimant, Claim[]> = {
	nobody: [],
	it: [its],
	another: [anothers],
	both: [its, anothers],
};

/** What can be known before an answer. */
interface Known {
	before: Before;
	by: Claimant;
	remembersAll: boolean;
}

const isOpen = ({ before }: Known) => before === 'nothing' || before === 'open';
const isTaken = ({ before }: Known) => before === 'sent' || before === 'doubtful';
const isOwnSent = ({ before, by }: Known) => before === 'sent' && by === 'it';
const isOnly = (known: Known, by: Claimant) =>
	known.before === 'open' && known.remembersAll && known.by === by;

/** What stands in the first column of the table. */
const places: Record<string, (known: Known) => boolean> = {
	any: () => true,
	open: isOpen,
	'sent, its own': (known) => isOwnSent(known),
	'settled otherwise': (known) => !isOpen(known) && !isOwnSent(known),
	rejected: ({ before }) => before === 'rejected',
	'sent or doubtful, its own': (known) => isTaken(known) && known.by === 'it',
	"sent or doubtful, another's": (known) => isTaken(known) && known.by === 'another',
	'open, it alone can be there': (known) => isOnly(known, 'it'),
	'open, another one alone can be there': (known) => isOnly(known, 'another'),
	'open otherwise': (known) => isOpen(known) && !isOnly(known, 'it') && !isOnly(known, 'another'),
};

/** What stands in the third column. */
const afters: Record<string, (before: Place | null, answer: Answer) => Place | null> = {
	'what the answer says, with this claim alone': (_before, answer) => ({
		fate: answer as Fate,
		claims: [its],
	}),
	'as before': (before) => before,
	'as before, and free for other turns': (before) => ({ ...before!, mayComeBack: true }),
	'this message claims it, too': (before) => ({
		fate: 'open',
		claims: [...(before?.claims ?? []).filter((claim) => claim !== its), its],
	}),
	'failed, by the only one that claims it, else by this message': (before) => ({
		fate: 'failed',
		claims: before?.claims.length === 1 ? before.claims : [its],
	}),
	'failed, by this message': () => ({ fate: 'failed', claims: [its] }),
	'doubtful, with that claim': (before) => ({ fate: 'doubtful', claims: before!.claims }),
};

/** The rows of the table in the document, without their formatting. */
async function tableRows(): Promise<string[][]> {
	const text = await readFile(document, 'utf8');
	const [, table] = /\n(\| Place \|[^]*?)\n\n/.exec(text)!;
	return table
		.split('\n')
		.slice(2)
		.map((row) => row.split('|').slice(1, 4 + 1))
		.map((cells) => cells.map((cell) => cell.trim().replaceAll(/[`*_]/g, '')));
}

/** Every cell of the table: what can be known of a place, and what can be answered. */
const cells = befores.flatMap((before) =>
	claimants
		.filter((by) => {
			if (before === 'nothing') return by === 'nobody';
			if (before === 'open') return by !== 'nobody';
			// A rejected message is asked for by itself alone.
			return by === 'it' || (by === 'another' && before !== 'rejected');
		})
		.flatMap((by) => [true, false].map((remembersAll) => ({ before, by, remembersAll })))
		.flatMap((known) => answers.map((answer) => ({ ...known, answer }))),
);

/** The rows of the table that are about a cell. */
async function rowsOf({ answer, ...known }: Known & { answer: Answer }): Promise<string[][]> {
	const rows = await tableRows();
	return rows.filter(([place, said]) => places[place](known) && said.split(', ').includes(answer));
}

describe('what is known of a place after an answer', () => {
	test.each(cells)(
		'is as the document says: $before, claimed by $by, all remembered: $remembersAll: $answer',
		async (cell) => {
			const { before, by, remembersAll, answer } = cell;
			const rows = await rowsOf(cell);
			expect(rows).toHaveLength(1);
			const [[, , after, verdict]] = rows;
			const known = before === 'nothing' ? null : { fate: before, claims: claimsOf[by] };
			expect(placeAfter(known, answer, its, remembersAll)).toEqual({
				place: afters[after](known, answer),
				verdict: verdict.split(':')[0] as Verdict,
			});
		},
	);

	test('has no row in the document that says nothing', async () => {
		const met = await Promise.all(cells.map(rowsOf));
		expect(new Set(met.flat().map((row) => row.join()))).toEqual(
			new Set((await tableRows()).map((row) => row.join())),
		);
	});
});
