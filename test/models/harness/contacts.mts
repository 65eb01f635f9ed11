/** What simulated collections of contacts have in common, whatever each keeps of a contact. */

/** The fields that an update can set. Interface: UPDATE-3. */
export const contactFields = [
	'firstName',
	'lastName',
	'email',
	'phone',
	'company',
	'jobTitle',
	'accountId',
	'source',
	'tags',
	'notes',
] as const;

/** By what the service orders its contacts, which the interface leaves open. */
export const orders = [
	'createdAt ascending',
	'createdAt descending',
	'updatedAt ascending',
	'updatedAt descending',
	'name',
	'email',
	'id',
] as const;

export type Order = (typeof orders)[number];

/** Which timestamps a contact has. */
export type Stamps = 'both' | 'createdAt' | 'updatedAt' | 'none';

/** What a contact has wherever it is simulated. */
export interface Placed {
	/** What stories call it: c1 is the first that there was. */
	name: string;
	sequence: number;
	id: string;
	/** Its place, from 0 to 1, in the orders by something that does not change. */
	key: number;
	/** By the service's clock, in ms since 1970. */
	createdAt: number;
	updatedAt: number;
	revision: number;
}

/**
 * When the first contacts were created and updated, the oldest first.
 * @param apart how far apart they were created, in ms
 * @param youngest when the last was, in ms since 1970
 */
export function* firstDates(
	count: number,
	{ apart, youngest, random }: { apart: number; youngest: number; random: () => number },
): Generator<{ createdAt: number; updatedAt: number }> {
	for (let index = 0; index < count; index++) {
		const createdAt = youngest - (count - 1 - index) * apart;
		const updatedAt = createdAt + Math.floor(random() ** 3 * (youngest - createdAt));
		yield { createdAt, updatedAt };
	}
}

/** An id that stands at this place, from 0 to 1, in the order of ids. */
export function idAt(place: number, sequence: number, workspace = '0'): string {
	const hex = Math.floor(place * 2 ** 48)
		.toString(16)
		.padStart(12, '0');
	const rest = sequence.toString(16).padStart(11, '0');
	return `${hex.slice(0, 8)}-${hex.slice(8)}-4000-8000-${workspace}${rest}`;
}

/**
 * Compares contacts as the list has them.
 * @param shown a date as the service shows it: no one could see another order
 */
export function comparing(
	order: Order,
	tie: 'id' | 'sequence',
	shown: (date: number) => number,
): (a: Placed, b: Placed) => number {
	const byId = (a: Placed, b: Placed) => (a.id < b.id ? -1 : 1);
	if (order === 'id') return byId;
	const [by, direction] = order.split(' ');
	const sign = direction === 'descending' ? -1 : 1;
	const value = (contact: Placed) =>
		by === 'createdAt' || by === 'updatedAt' ? shown(contact[by]) : contact.key;
	const ofEqual = tie === 'sequence' ? (a: Placed, b: Placed) => a.sequence - b.sequence : byId;
	return (a, b) => sign * (value(a) - value(b) || ofEqual(a, b));
}

/** Some of all, neighbours or from all over the list. @param where in hundredths of its length */
export function pick<T>(
	all: readonly T[],
	count: number,
	{ where, isScattered }: { where: number; isScattered: boolean },
): T[] {
	const picked = Math.min(count, all.length);
	if (isScattered) {
		const step = all.length / picked;
		return Array.from({ length: picked }, (_, index) => all[Math.floor(index * step)]);
	}
	const from = Math.min(Math.floor((where / 100) * all.length), all.length - picked);
	return all.slice(from, from + picked);
}
