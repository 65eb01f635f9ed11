import { beforeEach, describe, expect, test } from '@jest/globals';

import { unknownId, useService } from './service.mts';

const service = useService(['--requests-per-minute', '0']);
const { call, control, variants } = service;

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
	// CONTACT-11, CONTACT-13, CONTACT-14.
	test.each([
		['firstName', 1],
		['lastName', true],
		['email', 'no email'],
		['phone', 5550100],
		['company', {}],
		['jobTitle', []],
		['accountId', 'no-uuid'],
		['tags', 'one, two'],
		['tags', [1]],
		['notes', 1],
	])('%s has its own type, and is not %j', async (field, value) => {
		expect((await update({ [field]: value })).status).toBe(400);
		expect((await service.contacts())[0]).toEqual(ada);
	});

	// Interface: CONTACT-12.
	test.each(['website', 'referral', 'cold_call', 'marketing', 'trade_show', 'partner'])(
		'source may be set to %s',
		async (source) => {
			expect((await update({ source })).body.data.source).toBe(source);
		},
	);

	// Interface: CONTACT-12.
	test.each(['Website', 'api', 'other'])('source is not %s', async (source) => {
		expect((await update({ source })).status).toBe(400);
	});

	// Interface: CONTACT-4.
	test('companyId cannot be set', async () => {
		const { status, body } = await update({ companyId: unknownId, id: unknownId });
		expect([status, body.data.companyId, body.data.id]).toEqual([200, ada.companyId, ada.id]);
		await variants({ unknownFields: 'rejected' });
		expect((await update({ companyId: unknownId })).status).toBe(400);
	});

	// Interface: CONTACT-2, UPDATE-5, ERROR-2.
	test('an email of another contact is taken, for an update and for a new contact', async () => {
		const taken = await update({ email: grace.email, firstName: 'Not' });
		expect([taken.status, taken.body.error.code]).toEqual([409, 'EMAIL_TAKEN']);
		expect((await service.contacts())[0]).toEqual(ada);
		await expect(control('POST', '/contacts', { email: grace.email })).rejects.toThrow(/409/);
	});

	// Interface: CONTACT-2, WORK-1.
	test('a contact may keep its own email, and a contact of another company may have it', async () => {
		expect((await update({ email: ada.email })).status).toBe(200);
		const [live] = (await control('GET', '/contacts?mode=live')).data;
		expect(live.email).toBe(ada.email);
	});
});

describe('what the interface leaves open about contacts', () => {
	test('emailComparison: whether case makes another email', async () => {
		const email = grace.email.toUpperCase();
		expect((await update({ email })).status).toBe(409);
		await variants({ emailComparison: 'exact' });
		expect((await update({ email })).body.data.email).toBe(email);
	});

	// Interface: OPEN-9.
	test('omittedFields: whether omitted fields keep their values', async () => {
		await update(allFields);
		const kept = await update({ firstName: 'Ada' });
		expect(kept.body.data).toMatchObject({ ...allFields, firstName: 'Ada' });
		await variants({ omittedFields: 'blanked' });
		const { data } = (await update({ firstName: 'Ada' })).body;
		const left = Object.keys(allFields).filter((field) => data[field] !== null);
		expect(left).toEqual(['firstName']);
	});

	// Interface: OPEN-7.
	test.each([
		['nullOrEmpty', { null: null, empty: null }],
		['null', { null: null, empty: 400 }],
		['empty', { null: 400, empty: null }],
		['neither', { null: 400, empty: 400 }],
	])('clearingValue %s: what clears accountId', async (clearingValue, expected) => {
		await variants({ clearingValue });
		const outcome = async (accountId: null | '') => {
			await control('PATCH', `/contacts/${ada.id}`, { accountId: unknownId });
			const { status, body } = await update({ accountId });
			return status === 200 ? body.data.accountId : status;
		};
		expect({ null: await outcome(null), empty: await outcome('') }).toEqual(expected);
		expect((await update({ notes: '', tags: [] })).body.data).toMatchObject({
			notes: '',
			tags: [],
		});
	});

	// Interface: OPEN-7.
	test.each([
		[{ clearingValue: 'empty' }, null],
		[{ clearingValue: 'null' }, 400],
	])('null in an update is the same as leaving the field out (%j)', async (variant, empty) => {
		await variants({ ...variant, nullInUpdate: 'omitted' });
		await control('PATCH', `/contacts/${ada.id}`, { accountId: unknownId });
		expect((await update({ accountId: null })).body.data.accountId).toBe(unknownId);
		const { status, body } = await update({ accountId: '' });
		expect(status === 200 ? body.data.accountId : status).toBe(empty);
	});

	// Interface: OPEN-7.
	test('a list may show contacts without notes and tags, and an update all of them', async () => {
		await variants({ listedContacts: 'short' });
		const { notes, tags, ...short } = ada;
		expect([notes, tags]).not.toContain(undefined);
		const listed = (await call('GET', '/contacts')).body.data;
		expect(listed.find(({ id }: any) => id === ada.id)).toEqual(short);
		expect((await update({})).body.data).toMatchObject({ notes, tags });
	});

	test.each([
		['record', (record: any) => ({ data: record })],
		['changedFields', ({ id, phone, updatedAt }: any) => ({ data: { id, phone, updatedAt } })],
		['listOfOne', (record: any) => ({ data: [record] })],
		['nullData', () => ({ data: null })],
		['emptyObject', () => ({})],
		['success', () => ({ success: true })],
		['null', () => null],
		['text', () => 'OK'],
	])('updateAnswer %s: what an update that was made brings', async (updateAnswer, expected) => {
		await variants({ updateAnswer });
		const { status, body } = await update({ phone: '1', company: ada.company });
		const [stored] = await service.contacts();
		expect(stored.phone).toBe('1');
		expect([status, body]).toEqual([200, expected(stored)]);
	});

	test('unchangedValues: whether an update may name what the contact has, whatever it is', async () => {
		await control('PATCH', `/contacts/${ada.id}`, { source: 'import', tags: null });
		expect((await update({ source: 'import', phone: '1' })).status).toBe(400);
		await variants({ unchangedValues: 'taken', omittedFields: 'blanked' });
		const { body } = await update({ source: 'import', phone: '1' });
		expect(body.data).toMatchObject({ source: 'import', phone: '1', notes: null });
		expect((await update({ source: 'another' })).status).toBe(400);
	});

	// Interface: OPEN-7.
	test.each([
		['null', null, null],
		['absent', undefined, undefined],
		['empty', '', []],
	])('missingValues %s: how a field without value is shown', async (missingValues, text, list) => {
		await control('PATCH', `/contacts/${ada.id}`, { notes: null, tags: null });
		await variants({ missingValues });
		const { data } = (await update({})).body;
		expect([data.notes, data.tags]).toEqual([text, list]);
		expect('notes' in data).toBe(missingValues !== 'absent');
		const message = (await service.send()).body.data;
		expect(message.bouncedAt).toEqual(text);
	});

	// Interface: OPEN-6.
	test('extraFields: records and envelopes may have fields no one announced', async () => {
		await variants({ extraFields: true });
		const { body } = await update({});
		expect(body.data).toMatchObject({ id: ada.id, object: 'record' });
		expect(Object.keys(body)).toContain('requestId');
	});

	// Interface: OPEN-8.
	test.each([200, 201, 202])('updateStatus and sendStatus %i have a body', async (status) => {
		await variants({ updateStatus: status, sendStatus: status });
		expect(await update({})).toMatchObject({ status, body: { data: { id: ada.id } } });
		expect(await service.send()).toMatchObject({ status, body: { data: { source: 'api' } } });
	});

	// Interface: OPEN-8.
	test('updateStatus and sendStatus 204 have none', async () => {
		await variants({ updateStatus: 204, sendStatus: 204 });
		expect(await update({ firstName: 'Augusta' })).toMatchObject({ status: 204, body: '' });
		expect(await service.send()).toMatchObject({ status: 204, body: '' });
		expect((await service.contacts())[0].firstName).toBe('Augusta');
		expect(await service.inbox()).toHaveLength(1);
	});
});
