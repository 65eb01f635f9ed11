import { expect, test } from '@jest/globals';
import { Turns } from '../../nodes/CrmWorkspace/operations/updateContact/turns';

interface Contact {
	id: string;
	writes: number[];
}

const unchanged = (contact: Contact) => contact;

/** A promise, and what settles it. */
function deferred<Value>() {
	return Promise.withResolvers<Value>();
}

test('a contact that is found sooner does not overtake', async () => {
	const turns = new Turns<Contact>();
	const slow = deferred<Contact>();
	const write = (number: number) => async (contact: Contact) => ({
		contact: { ...contact, writes: [...contact.writes, number] },
		result: [...contact.writes, number],
	});
	const first = turns.take(slow.promise, write(1), unchanged);
	const second = turns.take(Promise.resolve({ id: 'A', writes: [] }), write(2), unchanged);
	slow.resolve({ id: 'a', writes: [] });

	expect(await first).toEqual([1]);
	expect(await second).toEqual([1, 2]);
});

test('two contacts are worked on at the same time, one contact never', async () => {
	const turns = new Turns<Contact>();
	const begun: string[] = [];
	const end = deferred<void>();
	const work = (name: string) => async (contact: Contact) => {
		begun.push(name);
		await end.promise;
		return { contact, result: name };
	};
	const all = Promise.all(
		['a', 'b', 'a'].map((id, index) =>
			turns.take(Promise.resolve({ id, writes: [] }), work(`${id}${index}`), unchanged),
		),
	);
	await new Promise(setImmediate);
	expect(begun).toEqual(['a0', 'b1']);

	end.resolve();
	await all;
	expect(begun).toEqual(['a0', 'b1', 'a2']);
});

test('work that fails, and a contact that is not found, hold nobody up', async () => {
	const turns = new Turns<Contact>();
	const contact = () => Promise.resolve<Contact>({ id: 'a', writes: [] });
	const failed = turns.take(
		contact(),
		() => Promise.reject(new Error('no')),
		(one) => ({ ...one, writes: [-1] }),
	);
	const lost = turns.take(Promise.reject(new Error('not found')), async () => never(), unchanged);
	const last = turns.take(
		contact(),
		async (one) => ({ contact: one, result: one.writes }),
		unchanged,
	);

	await expect(failed).rejects.toThrow('no');
	await expect(lost).rejects.toThrow('not found');
	expect(await last).toEqual([-1]);
});

function never(): never {
	throw new Error('There is no contact to work on');
}
