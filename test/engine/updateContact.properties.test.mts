import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizedEmail } from '../../nodes/CrmWorkspace/service/formats';
import { runs } from '../support/atLength.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	runUpdate,
	storeContacts,
	storedContacts,
} from '../support/engine/updates.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(() => sandbox.stop());

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

/** Addresses that begin, end or contain one another, in any case. */
const address = fc
	.tuple(
		fc.constantFrom('a', 'ab', 'a.b', 'xa'),
		fc.constantFrom('x.co', 'x.com', 'a.x.co'),
		fc.boolean(),
	)
	.map(([name, domain, isUpper]) => (isUpper ? name.toUpperCase() : name) + `@${domain}`);

const row = fc.record({
	address,
	margin: fc.constantFrom('', ' ', '\t', '\u00a0'),
	isUpper: fc.boolean(),
	jobTitle: fc.constantFrom('Analyst', 'Admiral', ''),
	notes: fc.constantFrom('one', 'two', 'three'),
});

const history = fc.record({
	addresses: fc.uniqueArray(address, { minLength: 3, maxLength: 20 }),
	others: fc.constantFrom(0, 90, 250, 450),
	rows: fc.array(row, { minLength: 1, maxLength: 9 }),
	options: fc.record({
		skipUnchanged: fc.boolean(),
		unmappedFields: fc.constantFrom('auto', 'leave', 'preserve'),
		concurrency: fc.constantFrom(1, 5, 20),
	}),
	readings: fc.record({
		searchCovers: fc.constantFrom('namesAndEmail', 'everyField', 'nothingOfEmail', 'ignored'),
		listOrder: fc.constantFrom('createdAscending', 'updatedDescending', 'unspecified'),
		emailComparison: fc.constantFrom('ignoringCase', 'exact'),
		updateStatus: fc.constantFrom(200, 204),
	}),
});

test('no row ever reaches the wrong contact', async () => {
	const counts = { histories: 0, rows: 0, written: 0, unknown: 0, ambiguous: 0 };
	const property = fc.asyncProperty(
		history,
		async ({ addresses, others, rows, options, readings }) => {
			await sandbox.control('POST', '/reset', { contacts: 0, readings });
			const before = await storeContacts(sandbox, [
				...addresses.map((email, index) => ({ email, firstName: `Contact ${index}` })),
				...Array.from({ length: others }, (_, i) => ({
					email: `other.${i}@ab.co`,
					notes: 'other',
				})),
			]);
			const items = rows.map(({ margin, isUpper, ...fields }) => ({
				email: margin + (isUpper ? fields.address.toUpperCase() : fields.address) + margin,
				jobTitle: fields.jobTitle,
				notes: fields.notes,
			}));
			const { json } = await runUpdate(sandbox, automaticUpdate(byEmail, options), items);

			const expected = new Map(before.map((contact) => [contact.id, { ...contact }]));
			for (const [index, { email, jobTitle, notes }] of items.entries()) {
				const meant = before.filter((one) => normalizedEmail(one.email) === normalizedEmail(email));
				if (meant.length === 1) {
					Object.assign(expected.get(meant[0].id)!, { notes, ...(jobTitle && { jobTitle }) });
					expect(json[index].id).toBe(meant[0].id);
					counts.written++;
				} else {
					for (const { id } of meant) expect(json[index].error).toContain(id);
					expect(json[index].error).toMatch(meant.length === 0 ? /^There is no contact/ : /have/);
					counts[meant.length === 0 ? 'unknown' : 'ambiguous']++;
				}
			}
			const shown = ({ id, email, firstName, jobTitle, notes }: any) => ({
				...{ id, email: normalizedEmail(email), firstName, jobTitle, notes },
			});
			expect((await storedContacts(sandbox)).map(shown)).toEqual([...expected.values()].map(shown));
			counts.histories++;
			counts.rows += rows.length;
		},
	);
	await fc.assert(property, { numRuns: runs, seed });
	process.stdout.write(`seed ${seed}: ${JSON.stringify(counts)}\n`);
	expect(counts.ambiguous).toBeGreaterThan(0);
}, 240_000);
