/** Of a list: the most that the service gives in a page. */
export const pageSize = 100;

/** The contact with a number, with all fields of the interface. A list begins with number 0, the newest. */
function contactOf(number: number) {
	const createdAt = new Date(Date.UTC(2026, 0, 1) - number * 60_000).toISOString();
	return {
		id: uuidOf(number),
		companyId: uuidOf(900_000_001),
		firstName: 'Person',
		lastName: `Number ${number}`,
		email: `person${number}@example.com`,
		phone: `+1 555 ${String(number).padStart(7, '0')}`,
		company: `Company ${number % 500}`,
		jobTitle: 'Engineer',
		accountId: uuidOf(800_000_000 + (number % 500)),
		source: 'website',
		tags: ['customer', 'newsletter'],
		notes: '',
		createdAt,
		updatedAt: createdAt,
	};
}

/** So many contacts. */
export function contactsOf(count: number) {
	return Array.from({ length: count }, (_, number) => contactOf(number));
}

/** A page of a list, in its envelope. */
export function pageOf(records: object[], page: number, limit: number) {
	const data = records.slice((page - 1) * limit, page * limit);
	const totalPages = Math.ceil(records.length / limit);
	return { data, meta: { pagination: { page, limit, totalCount: records.length, totalPages } } };
}

function uuidOf(number: number): string {
	return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
