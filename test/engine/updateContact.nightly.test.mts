import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Table from 'cli-table3';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	countRequests,
	countResults,
	runUpdate,
	storeContacts,
	storedContacts,
} from '../support/engine/updates.mts';

const rowCount = 1_000;
const changedCount = 20;

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox([
		...['--contacts', String(rowCount)],
		...['--requests-per-minute', '0'],
	]);
});
afterAll(() => sandbox.stop());

/** A row for each contact as a table of last night holds it, every fiftieth one changed since. */
async function rowsOfTonight(reason: string) {
	const contacts = await storeContacts(sandbox, await storedContacts(sandbox));
	return contacts.map(({ companyId, createdAt, updatedAt, ...row }, index) => ({
		...row,
		...(index % (rowCount / changedCount) === 7 && { jobTitle: `Promoted, ${reason}` }),
	}));
}

test.each([
	['email', byEmail],
	['ID', byId],
])(
	'a thousand rows by %s of which 20 changed take at most 35 requests',
	async (name, contact) => {
		const rows = await rowsOfTonight(name);
		const { json, error } = await runUpdate(
			sandbox,
			automaticUpdate(contact, { skipUnchanged: true }),
			rows,
		);
		expect(error).toBeUndefined();

		const requests = await countRequests(sandbox);
		const results = countResults(json);
		const table = new Table({
			style: { head: [], border: [], compact: true },
			head: [`${rowCount} rows by ${name}`, 'requests', 'pages', 'updates', 'at 60 a minute'],
		});
		const minutes = (count: number) => `${Math.ceil(count / 60)} min`;
		const { all, pages, writes } = requests;
		table.push(['this node', all, pages, writes, minutes(all)]);
		table.push(['update by update', rowCount, 0, rowCount, minutes(rowCount)]);
		process.stdout.write(`${table.toString()}\n${JSON.stringify(results)}\n`);

		expect(results).toEqual({ updated: changedCount, unchanged: rowCount - changedCount });
		expect(all).toBeLessThanOrEqual(35);
		expect(
			(await storedContacts(sandbox)).map(
				({ companyId, createdAt, updatedAt, ...fields }) => fields,
			),
		).toEqual(rows);
	},
	120_000,
);
