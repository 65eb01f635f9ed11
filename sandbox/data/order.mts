import type { Variants } from '../variants.mts';

/** A part of an ordered list: how many rows to pass over, and how many to take. */
export interface Page {
	offset: number;
	limit: number;
}

/** How each variant of the order of lists is asked of the database, for records without a name. */
export const orderBy: Record<Variants['listOrder'], string> = {
	createdAscending: 'ORDER BY createdAt, position',
	createdDescending: 'ORDER BY createdAt DESC, position DESC',
	updatedAscending: 'ORDER BY updatedAt, position',
	updatedDescending: 'ORDER BY updatedAt DESC, position DESC',
	nameAscending: 'ORDER BY createdAt, position',
	nameDescending: 'ORDER BY createdAt DESC, position DESC',
	// Multiplying by this number spreads neighbours far apart: a fixed shuffle.
	unspecified: 'ORDER BY (position * 2654435761) & 4294967295',
};

/** The same for contacts, which have a name. */
export const orderContactsBy: typeof orderBy = {
	...orderBy,
	nameAscending: 'ORDER BY lastName COLLATE NOCASE, firstName COLLATE NOCASE, position',
	nameDescending:
		'ORDER BY lastName COLLATE NOCASE DESC, firstName COLLATE NOCASE DESC, position DESC',
};
