import { expect, test } from '@jest/globals';
import { ContactWriter } from '../../nodes/CrmWorkspace/operations/updateContact/contactWriter';
import type { Client, Request } from '../../nodes/CrmWorkspace/client/request';

test('writing a cleared field back keeps what another user has changed in the meantime', async () => {
	const contact = { id: '1', company: 'Ada Ltd', notes: 'Call', phone: '0' };
	const bodies: unknown[] = [];
	const request = async ({ body, read }: Request<unknown>) => {
		bodies.push(body);
		const data = { id: '1', company: 'Changed Ltd', phone: '1', ...(bodies.length > 1 && body) };
		return read({ headers: {}, body: { data }, durationMs: 0 }, 0);
	};
	const writer = new ContactWriter({ request, redact: String } as unknown as Client, []);
	await writer.write(contact, { phone: '1' }, 'auto');
	const restored = { company: 'Changed Ltd', notes: 'Call', phone: '1' };
	expect(bodies).toEqual([{ phone: '1' }, restored]);
});
