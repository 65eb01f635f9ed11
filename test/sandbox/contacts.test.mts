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
	// Interface: UPDATE-1, UPDATE-6.
	test('changes the contact, and brings it in `data`', async () => {
		const { status, body } = await update(allFields);
		expect(status).toBe(200);
		expect(Object.keys(body)).toEqual(['data']);
		expect(body.data).toMatchObject({ id: ada.id, ...allFields });
		expect((await service.contacts())[0]).toEqual(body.data);
	});

	// Interface: CONTACT-3, CONTACT-4, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8, CONTACT-9,
	// CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14, CONTACT-15, CONTACT-16.
	test('the record has its fields and no others', async () => {
		const { data } = (await update({})).body;
		expect(Object.keys(data)).toEqual([
			'id',
			'companyId',
			...Object.keys(allFields),
			'createdAt',
			'updatedAt',
		]);
	});

	// Interface: CONTACT-15, CONTACT-16.
	test('createdAt stays and updatedAt moves', async () => {
		const { data } = (await update({ firstName: 'Augusta' })).body;
		expect(data.createdAt).toBe(ada.createdAt);
		expect(data.updatedAt > ada.updatedAt).toBe(true);
	});

	// Interface: UPDATE-2.
	test('id in the path is a UUID, and has to be there', async () => {
		expect((await update({}, 'ada')).status).toBe(400);
		expect((await call('PUT', '/contacts', {})).status).toBe(405);
	});

	// Interface: CONTACT-1, OPEN-17.
	test('an unknown contact id is refused, one of another company too', async () => {
		const [live] = (await control('GET', '/contacts?mode=live')).data;
		for (const id of [unknownId, live.id]) {
			const { status, body } = await update({ firstName: 'Nobody' }, id);
			expect([status, body.error.code]).toEqual([404, 'CONTACT_NOT_FOUND']);
		}
	});

	// Interface: UPDATE-3, UPDATE-4, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8, CONTACT-9,
	// CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14.
	test('no field is required, and each can be set', async () => {
		expect((await update({})).status).toBe(200);
		for (const [field, value] of Object.entries(allFields)) {
			expect((await update({ [field]: value })).body.data[field]).toEqual(value);
		}
	});

	// Interface: UPDATE-3, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8, CONTACT-9, CONTACT-10,
	// CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14.
	test.each<[string, unknown]>([
		...Object.keys(allFields).map((field): [string, unknown] => [field, 7]),
		['email', 'no email'],
		['accountId', 'no-uuid'],
		['source', 'Website'],
		['tags', [1]],
	])('%s has its own type, and is not %j', async (field, value) => {
		expect((await update({ [field]: value })).status).toBe(400);
		expect((await service.contacts())[0]).toEqual(ada);
	});

	// Interface: CONTACT-4.
	test('companyId cannot be set', async () => {
		const { status, body } = await update({ companyId: unknownId, id: unknownId });
		expect([status, body.data.companyId, body.data.id]).toEqual([200, ada.companyId, ada.id]);
	});

	// Interface: CONTACT-2, UPDATE-5, ERROR-2.
	test('an email of another contact is taken, for an update and for a new contact', async () => {
		const taken = await update({ email: grace.email, firstName: 'Not' });
		expect([taken.status, taken.body.error.code]).toEqual([409, 'EMAIL_TAKEN']);
		expect((await service.contacts())[0]).toEqual(ada);
		expect((await update({ email: grace.email.toUpperCase() })).status).toBe(409);
		await expect(control('POST', '/contacts', { email: grace.email })).rejects.toThrow(/409/);
	});

	// Interface: CONTACT-2, WORK-1.
	test('a contact may keep its own email, and a contact of another company may have it', async () => {
		expect((await update({ email: ada.email })).status).toBe(200);
		const [live] = (await control('GET', '/contacts?mode=live')).data;
		expect(live.email).toBe(ada.email);
	});
});
