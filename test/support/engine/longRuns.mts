import type { IDataObject } from 'n8n-workflow';
import type { Asked, ThinRun } from './bareRun.mts';

/** How much there is of everything. */
interface Size {
	/** Half of them without an email address. */
	contacts: number;
	rows: number;
}

const pageSize = 100;

/** Runs whose own work is long, by what they do. */
export const bigRuns: Record<string, (size: Size) => ThinRun> = {
	'sync rows by email, one of 50 changed': ({ contacts, rows }) => {
		const items = numbers(rows).map((number) => {
			const { email, firstName, jobTitle } = contact(2 * number);
			return { email, firstName, jobTitle: number % 50 === 0 ? 'Promoted' : jobTitle };
		});
		const update: IDataObject = {
			operation: 'updateContact',
			'fields.mappingMode': 'autoMapInputData',
			options: { skipUnchanged: true },
		};
		return {
			items,
			answer: ({ method, path, query }) =>
				method === 'PUT'
					? json({ data: contact(Number(path.split('-').at(-1))) })
					: pageOf(contacts, query),
			parameter: (name, index) =>
				name === 'contact' ? { mode: 'email', value: items[index].email } : update[name],
		};
	},
	'list all contacts, of which one is created meanwhile': ({ contacts }) => {
		let asked = 0;
		const isLater = () => ++asked > contacts / pageSize / 2;
		const list: IDataObject = { operation: 'list', collection: 'contacts', returnAll: true };
		return {
			items: [{}],
			answer: ({ query }) => pageOf(contacts + Number(isLater()), query),
			parameter: (name) => list[name],
		};
	},
	'send a message for each row': ({ rows }) => {
		const send: IDataObject = {
			operation: 'sendTransactionalEmail',
			content: 'html',
			subject: 'Your order',
			html: '<p>Hello {{name|friend}}, your order is on its way.</p>',
			idempotency: 'execution',
			variablesInput: 'fields',
		};
		return {
			items: numbers(rows).map(() => ({})),
			answer: ({ body }) =>
				json({ data: { id: body.idempotencyKey, status: 'queued', to: body.to } }),
			parameter: (name, index) => (name === 'to' ? `person${index}@example.com` : send[name]),
		};
	},
};

function pageOf(count: number, query: Asked['query']): Buffer {
	const [page, limit] = [Number(query.page), Number(query.limit)];
	const before = (page - 1) * limit;
	const data = numbers(Math.max(0, Math.min(limit, count - before)));
	const counts = { totalCount: count, totalPages: Math.ceil(count / limit) };
	return json({
		data: data.map((index) => contact(before + index)),
		meta: { pagination: { page, limit, ...counts } },
	});
}

function contact(number: number): IDataObject {
	return {
		id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
		email: number % 2 === 0 ? `Person.${number}@Example.com` : null,
		firstName: `First ${number}`,
		lastName: 'Person',
		jobTitle: 'Engineer',
		tags: ['customer', 'newsletter'],
		createdAt: '2026-01-01T00:00:00.000Z',
		updatedAt: '2026-02-01T00:00:00.000Z',
	};
}

function numbers(count: number): number[] {
	return Array.from({ length: count }, (_, number) => number);
}

function json(value: unknown): Buffer {
	return Buffer.from(JSON.stringify(value));
}
