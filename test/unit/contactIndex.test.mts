import { describe, expect, test } from '@jest/globals';
import { ContactIndex } from '../../nodes/CrmWorkspace/service/lookup/contactIndex';
import { watchEventLoop } from '../support/engine/eventLoop.mts';

const contacts = (count: number, email: (number: number) => string | null) =>
	Array.from({ length: count }, (_, number) => ({ id: `C-${number}`, email: email(number) }));

describe('an index of contacts', () => {
	test('finds by ID and by email, whatever the case', async () => {
		const [ada, grace] = [
			{ id: 'A1', email: ' Ada@Example.com' },
			{ id: 'b2', email: 'grace@example.com' },
		];
		const index = await ContactIndex.of([ada, grace]);
		expect([index.withId('a1'), index.withId('B2'), index.withId('c3')]).toEqual([
			ada,
			grace,
			undefined,
		]);
		expect(index.withEmail('ADA@example.com ')).toEqual([ada]);
		expect(index.withEmail('nobody@example.com')).toEqual([]);
	});

	test('gives all who share an email, in their order, and a contact that came twice once', async () => {
		const [one, other] = [1, 2].map((id) => ({ id: `${id}`, email: 'a@b.cc' }));
		const index = await ContactIndex.of([one, other, one]);
		expect(index.withEmail('A@B.cc')).toEqual([one, other]);
	});

	test('holds no record that cannot be written to', async () => {
		const index = await ContactIndex.of([{ email: 'a@b.cc' }, { id: 7, email: 'a@b.cc' }]);
		expect(index.withEmail('a@b.cc')).toEqual([]);
	});

	test('takes no longer when contacts have no email, or all the same', async () => {
		const cost = async (email: (number: number) => string | null) => {
			const records = contacts(20_000, email);
			return (await watchEventLoop(async () => await ContactIndex.of(records))).total;
		};
		await cost(() => null);
		const usual = await cost((number) => `person${number}@example.com`);
		expect(await cost(() => null)).toBeLessThan(4 * usual);
		expect(await cost(() => 'info@example.com')).toBeLessThan(4 * usual);
	});
});
