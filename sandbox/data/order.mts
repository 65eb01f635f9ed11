import { hash } from 'node:crypto';

import type { Variants } from '../variants.mts';

export type Order = Variants['listOrder'];

/** What a list can be sorted by. */
interface Sortable {
	id: string;
	createdAt: string;
	updatedAt?: unknown;
}

const updated = ({ createdAt, updatedAt }: Sortable) => String(updatedAt ?? createdAt);

/** What each order compares. Hashes of the IDs are a shuffle that stays the same. */
const keyOf: Record<Order, (one: Sortable) => string> = {
	createdAscending: ({ createdAt }) => createdAt,
	createdDescending: ({ createdAt }) => createdAt,
	updatedDescending: updated,
	unspecified: ({ id }) => hash('sha256', id),
};

/** Sorts what is given in the order of its insertion, which decides between equal times. */
export function inOrder<One extends Sortable>(all: readonly One[], order: Order): One[] {
	const keyed = all.map((one) => ({ one, key: keyOf[order](one) }));
	keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
	const sorted = keyed.map(({ one }) => one);
	return order.endsWith('Descending') ? sorted.reverse() : sorted;
}
