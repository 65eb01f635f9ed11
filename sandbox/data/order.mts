import type { Variants } from '../variants.mts';

/** A part of an ordered list. */
export interface Page {
	offset: number;
	limit: number;
}

/** The SQL of each order of lists. */
export const orderBy: Record<Variants['listOrder'], string> = {
	createdAscending: 'ORDER BY createdAt, position',
	createdDescending: 'ORDER BY createdAt DESC, position DESC',
	updatedDescending: 'ORDER BY updatedAt DESC, position DESC',
	// Multiplying by this number spreads neighbours far apart: a fixed shuffle.
	unspecified: 'ORDER BY (position * 2654435761) & 4294967295',
};
