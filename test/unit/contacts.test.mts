import { expect, jest, test } from '@jest/globals';
import { Contacts } from '../../nodes/CrmWorkspace/operations/updateContact/contacts';
import type { Update } from '../../nodes/CrmWorkspace/operations/updateContact/update';
import type { Client } from '../../nodes/CrmWorkspace/client/request';

test('a run of many minutes knows what another one has written meanwhile', () => {
	const contacts = new Contacts({ keyIdentity: {}, redact: String } as unknown as Client, 1);
	const read = { id: '1', tags: ['vip'] };
	contacts.written.note(read, { id: '1', tags: ['vip', 'webhook'] }, { tags: ['vip', 'webhook'] });
	jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 180_000);
	const adding = { fields: { tags: ['sync'] }, tagMode: 'add' } as unknown as Update;
	expect(contacts.bringUpToDate(read, adding).tags).toEqual(['vip', 'webhook']);
});
