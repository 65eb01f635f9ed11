import { contactSources, type Contact } from './contacts.mts';
import type { Maker } from './seed.mts';

/** Well-known people, for examples and tests. */
const knownPeople: ReadonlyArray<Partial<Contact>> = [
	{ firstName: 'Ada', lastName: 'Lovelace', jobTitle: 'Analyst', tags: ['vip', 'newsletter'] },
	{ firstName: 'Grace', lastName: 'Hopper', jobTitle: 'Rear Admiral', tags: ['vip'] },
	{ firstName: 'Alan', lastName: 'Turing', jobTitle: 'Mathematician', tags: ['newsletter'] },
	{ firstName: 'Katherine', lastName: 'Johnson', jobTitle: 'Mathematician', tags: [] },
	{ firstName: 'Edsger', lastName: 'Dijkstra', jobTitle: 'Computer Scientist', tags: null },
	{ firstName: 'Hedy', lastName: 'Lamarr', jobTitle: 'Inventor', tags: ['partner'] },
].map((person) => ({
	...person,
	email: `${person.firstName}.${person.lastName}@example.com`.toLowerCase(),
	company: 'Analytical Engines Ltd',
	source: 'referral',
}));

const possibleTags = ['vip', 'newsletter', 'customer', 'lead', 'partner', 'trial', 'churned'];
const domains = ['example.com', 'example.org', 'example.net'];

/**
 * Realistic contacts: known people first, the oldest first. Some fields have no value, as in
 * any real workspace.
 */
export function seededContacts(maker: Maker, count: number): Array<Partial<Contact>> {
	const supplies = suppliesFrom(maker);
	return Array.from({ length: count }, (_, number) => {
		const age = 500 - (number * 500) / count;
		return {
			...(knownPeople[number] ?? somebody(maker, supplies, number)),
			id: maker.id('contact', number),
			accountId: number % 3 === 0 ? null : maker.id('account', number % supplies.companies.length),
			createdAt: maker.daysAgo(age),
			updatedAt: maker.daysAgo(Math.min(((count - number) * 7) % 100, age)),
		};
	});
}

/**
 * Names are picked from lists: generating each one would make ten thousand contacts take
 * seconds.
 */
function suppliesFrom({ faker }: Maker) {
	const supply = (size: number, make: () => string) => Array.from({ length: size }, make);
	return {
		firstNames: supply(200, () => faker.person.firstName()),
		lastNames: supply(300, () => faker.person.lastName()),
		companies: supply(60, () => faker.company.name()),
		jobTitles: supply(80, () => faker.person.jobTitle()),
		notes: supply(30, () => faker.company.catchPhrase()),
	};
}

function somebody(
	{ faker }: Maker,
	supplies: ReturnType<typeof suppliesFrom>,
	number: number,
): Partial<Contact> {
	const { arrayElement, arrayElements } = faker.helpers;
	const sometimes = <Value,>(value: Value) => (faker.number.float() < 0.7 ? value : null);
	const firstName = arrayElement(supplies.firstNames);
	const lastName = arrayElement(supplies.lastNames);
	const name = `${firstName}.${lastName}`.toLowerCase().replace(/[^a-z.]/g, '');
	return {
		firstName,
		lastName,
		email: `${name}.${number}@${arrayElement(domains)}`,
		phone: sometimes(`+1 555 01${String(number % 100).padStart(2, '0')}`),
		company: sometimes(arrayElement(supplies.companies)),
		jobTitle: sometimes(arrayElement(supplies.jobTitles)),
		source: sometimes(arrayElement(contactSources)),
		tags: sometimes(arrayElements(possibleTags, { min: 0, max: 3 })),
		notes: sometimes(arrayElement(supplies.notes)),
	};
}
