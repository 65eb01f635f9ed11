import type { SeenContact } from './contactSnapshot';

/** A date by which a list is sorted, and at which end what is new appears. */
export interface Order {
	date: 'createdAt' | 'updatedAt';
	isNewestFirst: boolean;
}

/** So many steps in one direction are no coincidence. */
const convincingSteps = 12;

/** The orders by date that contacts are in; none if they are too few to tell. */
export function detectOrders(contacts: SeenContact[]): Order[] {
	return (['createdAt', 'updatedAt'] as const).flatMap((date) => {
		const steps = contacts.slice(1).map((contact, index) => contact[date] - contacts[index][date]);
		const rising = steps.filter((step) => step > 0).length;
		const falling = steps.filter((step) => step < 0).length;
		const isSorted =
			Math.max(rising, falling) >= convincingSteps && Math.min(rising, falling) === 0;
		return isSorted ? [{ date, isNewestFirst: falling > 0 }] : [];
	});
}
