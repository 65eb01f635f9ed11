import { beforeEach, describe, expect, test } from '@jest/globals';

import { unknownId, useService } from './service.mts';

const service = useService();
const { call, control } = service;

let ada: any;
let grace: any;
beforeEach(async () => {
	[ada, grace] = await service.contacts();
});

const update = (fields: unknown, id = ada.id) => call('PUT', `/contacts/${id}`, fields);

const allFields = {
	firstName: 'Augusta',
	lastName: 'King',
	email: 'augusta.king@example.com',
	phone: '+44 20 7946 0000',
	company: 'Lovelace & Co',
	jobTitle: 'Countess',
	accountId: unknownId,
	source: 'trade_show',
	tags: ['one', 'two'],
	notes: 'Wrote the first program',
};

describe('PUT /contacts/{id}', () => {
	// Interface: UPDATE-1, UPDATE-3, UPDATE-4, UPDATE-6, CONTACT-3, CONTACT-4, CONTACT-5, CONTACT-6,
	// CONTACT-7, CONTACT-8, CONTACT-9, CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14,
	// CONTACT-15, CONTACT-16.
	test('sets each field, and keeps ID, company and creation', async () => {
		const { id, companyId, createdAt } = ada;
		const { status, body } = await update({ ...allFields, id: unknownId, companyId: unknownId });
		const { updatedAt } = body.data;
		expect(status).toBe(200);
		expect(body).toEqual({ data: { id, companyId, ...allFields, createdAt, updatedAt } });
		expect(updatedAt > ada.updatedAt).toBe(true);
		expect((await service.contacts())[0]).toEqual(body.data);
	});

	// Interface: UPDATE-3, UPDATE-4.
	test('requires no field, and sets those that are given', async () => {
		expect((await update({})).status).toBe(200);
		const { data } = (await update({ firstName: 'Augusta' })).body;
		expect(data).toEqual({ ...ada, firstName: 'Augusta', updatedAt: data.updatedAt });
	});

	// Interface: UPDATE-3, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8, CONTACT-9, CONTACT-10,
	// CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14.
	test.each<[string, unknown]>([
		...Object.keys(allFields).map((field): [string, unknown] => [field, 7]),
		['email', 'no email'],
		['accountId', 'no-uuid'],
		['source', 'Website'],
		['tags', [1]],
	])('refuses a %s of %j', async (field, value) => {
		expect((await update({ [field]: value })).status).toBe(400);
		expect((await service.contacts())[0]).toEqual(ada);
	});

	// Interface: UPDATE-2, CONTACT-1, OPEN-17.
	test('refuses an ID that is none, is unknown, or is of another company', async () => {
		const [live] = (await control('GET', '/contacts?mode=live')).data;
		const refused = await Promise.all(['ada', unknownId, live.id].map((id) => update({}, id)));
		const codes = refused.map(({ status, body }) => [status, body.error.code]);
		const notFound = [404, 'CONTACT_NOT_FOUND'];
		expect(codes).toEqual([[400, 'VALIDATION_ERROR'], notFound, notFound]);
	});

	// Interface: CONTACT-2, UPDATE-5, ERROR-2, WORK-1.
	test('refuses an email of another contact of the company, for a new contact, too', async () => {
		for (const email of [grace.email, grace.email.toUpperCase()]) {
			const taken = await update({ email, firstName: 'Not' });
			expect([taken.status, taken.body.error.code]).toEqual([409, 'EMAIL_TAKEN']);
		}
		expect((await service.contacts())[0]).toEqual(ada);
		expect((await update({ email: ada.email })).status).toBe(200);
		const [live] = (await control('GET', '/contacts?mode=live')).data;
		expect(live.email).toBe(ada.email);
		await expect(control('POST', '/contacts', { email: grace.email })).rejects.toThrow(/409/);
	});
});
