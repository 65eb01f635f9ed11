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

/** What stands in the first column of the table. */
const places: Record<string, (before: Before, by: Claimant) => boolean> = {
	any: () => true,
	open: (before) => before === 'nothing' || before === 'open',
	settled: (before) => before !== 'nothing' && before !== 'open',
	rejected: (before) => before === 'rejected',
	'sent or doubtful, its own': (before, by) =>
		(before === 'sent' || before === 'doubtful') && by === 'it',
	"sent or doubtful, another's": (before, by) =>
		(before === 'sent' || before === 'doubtful') && by === 'another',
};

/** What stands in the third column. */
const afters: Record<string, (before: Place | null, answer: Answer) => Place | null> = {
	'what the answer says, with this claim alone': (_before, answer) => ({
		fate: answer as Fate,
		claims: [its],
	}),
	'as before': (before) => before,
	'this message claims it, too': (before) => ({
		fate: 'open',
		claims: [...(before?.claims ?? []).filter((claim) => claim !== its), its],
	}),
	failed: (before) => ({ fate: 'failed', claims: before?.claims.length ? before.claims : [its] }),
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
			return before === 'open' ? true : by === 'it' || by === 'another';
		})
		.flatMap((by) => answers.map((answer) => ({ before, by, answer }))),
);

describe('what is known of a place after an answer', () => {
	test.each(cells)('is as the document says: $before, claimed by $by: $answer', async (cell) => {
		const { before, by, answer } = cell;
		const rows = (await tableRows()).filter(
			([place, said]) => places[place](before, by) && said.split(', ').includes(answer),
		);
		expect(rows).toHaveLength(1);
		const [[, , after, verdict]] = rows;
		const known = before === 'nothing' ? null : { fate: before, claims: claimsOf[by] };
		expect(placeAfter(known, answer, its)).toEqual({
			place: afters[after](known, answer),
			verdict: verdict.split(':')[0] as Verdict,
		});
	});

	test('has no row in the document that says nothing', async () => {
		for (const [place, said] of await tableRows()) {
			const met = cells.filter(
				({ before, by, answer }) => places[place](before, by) && said.split(', ').includes(answer),
			);
			expect(met).not.toEqual([]);
		}
	});
});
