import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';
import { contactFieldNames } from '../../nodes/CrmWorkspace/service/records';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	runUpdate,
	storeContacts,
	storedContacts,
	type StoredContact,
} from '../support/engine/updates.mts';

let sandbox: RunningSandbox;
let seeded: StoredContact[];

beforeAll(async () => {
	sandbox = await startSandbox(['--contacts', '120', '--requests-per-minute', '0']);
	seeded = await storedContacts(sandbox);
});
afterAll(() => sandbox.stop());

/** Ways of the service that decide what an empty field looks like and may be sent as. */
const surroundings = [
	{},
	{ missingValues: 'absent', updateStatus: 204 },
	{ missingValues: 'empty', clearingValue: 'neither', validationStatus: 422 },
	{ missingValues: 'null', clearingValue: 'empty', unknownFields: 'rejected', extraFields: true },
	{ missingValues: 'empty', clearingValue: 'null', errorBody: 'empty', updateStatus: 202 },
	{ missingValues: 'absent', updateAnswer: 'changedFields' },
	{ missingValues: 'null', updateAnswer: 'nullData' },
];

/** Whether the answer to an update shows which fields are empty now. */
function showsWhatIsEmpty(readings: Partial<Record<string, unknown>>): boolean {
	const { updateStatus, updateAnswer, missingValues } = readings;
	const isPart = updateAnswer === 'changedFields' && missingValues === 'absent';
	return updateStatus !== 204 && updateAnswer !== 'nullData' && !isPart;
}

/** How many values are not what they should be after an update, and how many rows failed. */
async function update(
	contact: typeof byId | typeof byEmail,
	omittedFields: 'auto' | 'preserve' | 'leave',
) {
	const before = await storeContacts(sandbox, seeded);
	const chosen = before.slice(0, 12);
	const name = ({ id, email }: StoredContact) => (contact === byId ? { id } : { email });
	const rows: IDataObject[] = chosen.map((one, index) => ({
		...name(one),
		[index % 2 ? 'jobTitle' : 'phone']: `New ${index}`,
	}));
	// The second row of a contact has to keep what the first one changed.
	rows.push({ ...name(chosen[0]), notes: 'Also new' });
	const { json } = await runUpdate(sandbox, automaticUpdate(contact, { omittedFields }), rows);

	const after = await storedContacts(sandbox);
	const lost = before.flatMap((old) => {
		const now = after.find(({ id }) => id === old.id)!;
		const mapped = rows.filter(({ id, email }) => id === old.id || email === old.email);
		const expected = Object.assign({}, old, ...mapped);
		return contactFieldNames.filter((name) => !same(now[name], expected[name]));
	});
	return { rows: rows.length, lost: lost.length, failed: json.filter(({ error }) => error).length };
}

function same(one: any, other: any): boolean {
	const text = (value: any) => (value?.length ? JSON.stringify(value) : '');
	return text(one) === text(other);
}

// Interface: OPEN-9.
test('with preserve no field is ever lost, and by email with auto none where the answer shows it', async () => {
	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: ['contact', 'Omitted Fields', 'omitted fields are', 'rows', 'failed', 'fields lost'],
	});
	for (const contact of [byId, byEmail]) {
		for (const option of ['auto', 'preserve', 'leave'] as const) {
			for (const omittedFields of ['kept', 'blanked'] as const) {
				const sum = { rows: 0, failed: 0, lost: 0 };
				for (const readings of surroundings) {
					await sandbox.control('POST', '/reset', { readings: { ...readings, omittedFields } });
					const { rows, failed, lost } = await update(contact, option);
					expect({ option, omittedFields, readings, failed }).toMatchObject({ failed: 0 });
					const isTold = option === 'auto' && contact === byEmail && showsWhatIsEmpty(readings);
					if (option === 'preserve' || isTold) {
						expect({ omittedFields, readings, lost }).toMatchObject({ lost: 0 });
					}
					sum.rows += rows;
					sum.failed += failed;
					sum.lost += lost;
				}
				table.push([contact.mode, option, omittedFields, sum.rows, sum.failed, sum.lost]);
				if (option === 'leave') expect(sum.lost > 0).toBe(omittedFields === 'blanked');
			}
		}
	}
	process.stdout.write(`${table.toString()}\n`);
}, 60_000);
