/** What a pass over all contacts shows of their list: by which dates it is sorted. */
import type { SeenContact } from './contactSnapshot';

const dates = ['createdAt', 'updatedAt'] as const;

/** In which direction a date goes from one contact of the list to the next. */
export type Order = `${(typeof dates)[number]} ${'rising' | 'falling'}`;

export function getDate(contact: SeenContact, order: Order): number {
	return order.startsWith('createdAt') ? contact.createdAt : contact.updatedAt;
}

/** After so many steps in one direction, the order of a date is no coincidence. */
const convincingSteps = 12;

/** The orders by date that contacts are in; undefined if they are too few to tell. */
export function detectOrders(contacts: SeenContact[]): Order[] | undefined {
	const steps = dates.map((name) => {
		const isRising = contacts.flatMap(({ [name]: date }, index) => {
			const before = contacts[index - 1]?.[name];
			return date > before ? [true] : date < before ? [false] : [];
		});
		return { name, isRising };
	});
	if (steps.every(({ isRising }) => isRising.length < convincingSteps)) return undefined;
	return steps.flatMap(({ name, isRising }): Order[] => {
		if (isRising.length < convincingSteps || new Set(isRising).size > 1) return [];
		return [`${name} ${isRising[0] ? 'rising' : 'falling'}`];
	});
}
