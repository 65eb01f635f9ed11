import type { Channel, StoredRecord, Template } from './records.mts';
import type { Maker } from './seed.mts';

/** The oldest channel is not verified, so 'the oldest verified channel' is not just the first. */
export function channels({ mode, id, daysAgo }: Maker): Channel[] {
	const channel = (number: number, name: string, localPart: string, verified: boolean) => ({
		id: id('channel', number),
		name,
		fromEmail: `${localPart}@mail.${mode}.example.com`,
		fromName: name,
		verified,
		createdAt: daysAgo(900 - number * 100),
	});
	return [
		channel(0, 'Example Archive', 'archive', false),
		channel(1, 'Example Inc', 'hello', true),
		channel(2, 'Example Orders', 'orders', true),
		channel(3, 'Example Support', 'support', true),
	];
}

export function templates({ id, daysAgo }: Maker): Template[] {
	const template = (
		number: number,
		slug: string,
		channelId: string | null,
		subject: string,
		lines: string[],
	) => ({
		id: id('template', number),
		slug,
		name: slug.replace('-', ' '),
		subject,
		html: lines.map((line) => `<p>${line}</p>`).join('\n'),
		channelId,
		createdAt: daysAgo(400 - number),
	});
	return [
		template(0, 'welcome', null, 'Welcome, {{firstName|friend}}', [
			'Hello {{firstName|friend}},',
			'your workspace at {{company|our company}} is ready.',
		]),
		template(1, 'order-confirmation', id('channel', 2), 'Your order {{orderNumber}}', [
			'Thank you, {{firstName|dear customer}}.',
			'Your order {{orderNumber}} over {{total}} is on its way.',
		]),
		template(2, 'password-reset', id('channel', 3), 'Reset your password', [
			'Follow this link: <a href="{{resetUrl}}">{{resetUrl}}</a>',
			'It is good for {{validFor|one hour}}.',
		]),
	];
}

export function widgets({ id, daysAgo }: Maker): StoredRecord[] {
	const names = ['Contact form', 'Newsletter box', 'Chat bubble', 'Booking calendar', 'Poll'];
	return names.map((name, number) => ({
		id: id('widget', number),
		name,
		type: name.split(' ')[1]?.toLowerCase() ?? 'poll',
		active: number !== 4,
		createdAt: daysAgo(300 - number * 10),
	}));
}

export function activities({ faker, id, daysAgo }: Maker): StoredRecord[] {
	const types = ['note', 'call', 'email', 'meeting', 'stage_change'];
	return Array.from({ length: 120 }, (_, number) => ({
		id: id('activity', number),
		type: faker.helpers.arrayElement(types),
		summary: faker.company.catchPhrase(),
		contactId: id('contact', number % 40),
		createdAt: daysAgo(120 - number),
	}));
}

/** The first seven are overdue. A third of the others is done, and the rest is due in years. */
export function tasks({ faker, id, daysAgo }: Maker): StoredRecord[] {
	return Array.from({ length: 20 }, (_, number) => ({
		id: id('task', number),
		title: `Call ${faker.person.fullName()}`,
		contactId: id('contact', number),
		dueAt: daysAgo(number < 7 || number % 3 === 0 ? 30 - number : -3650),
		completedAt: number >= 7 && number % 3 === 0 ? daysAgo(35 - number) : null,
		createdAt: daysAgo(60 - number),
	}));
}

const categoryNames = ['Getting started', 'Contacts', 'Email', 'Billing', 'Integrations'];

export function categories({ id, daysAgo }: Maker): StoredRecord[] {
	return categoryNames.map((name, number) => ({
		id: id('category', number),
		name,
		slug: slugOf(name),
		createdAt: daysAgo(800 - number),
	}));
}

/** Forty articles: more than the default limit and the lowest maximum of a search. */
export function articles({ faker, id, daysAgo }: Maker): StoredRecord[] {
	return Array.from({ length: 40 }, (_, number) => {
		const category = categoryNames[number % categoryNames.length];
		const title = `How to ${faker.hacker.verb()} the ${faker.hacker.adjective()} ${faker.hacker.noun()}`;
		return {
			id: id('article', number),
			categoryId: id('category', number % categoryNames.length),
			title,
			slug: `${slugOf(title)}-${number}`,
			excerpt: `${category}: ${faker.hacker.phrase()}`,
			createdAt: daysAgo(200 - number),
			updatedAt: daysAgo(40 - number),
		};
	});
}

function slugOf(text: string): string {
	return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
