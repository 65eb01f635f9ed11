import { expect, test } from '@jest/globals';
import { rejectionReason } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/rejection';
import type { Message } from '../../nodes/CrmWorkspace/service/records';

// Interface: MESSAGE-2, MESSAGE-13, MESSAGE-14, MESSAGE-15, MESSAGE-16, OPEN-2, OPEN-3.
test.each<[Message, string | undefined]>([
	[{}, undefined],
	[{ status: 'queued' }, undefined],
	[{ status: 'something new' }, undefined],
	[{ status: 'sent', error: '', errorReason: null as never, bounceType: null as never }, undefined],
	[{ status: 'rejected' }, 'no reason given'],
	[{ status: 'REJECTED', errorReason: 'suppressed' }, 'suppressed'],
	[{ status: 'Rejected', errorReason: ' ', error: '\t' }, 'no reason given'],
	[{ status: 'sent', errorReason: ' ' }, undefined],
	[{ bounceType: 'permanent' }, 'permanent bounce'],
	[{ status: 'failed', error: '550 no such user', errorReason: 'smtp' }, 'smtp: 550 no such user'],
	[{ error: 'refused', errorReason: 'refused' }, 'refused'],
	[{ status: 'bounced', bounceType: 'Permanent' }, 'permanent bounce'],
	[{ status: 'bounced', bounceType: 'Transient' }, undefined],
	[{ status: 'failed' }, 'no reason given'],
	[{ status: 'NOT_SENT' }, 'no reason given'],
	[{ status: 'Undeliverable' }, 'no reason given'],
	[{ status: 'failover' }, undefined],
	[{ status: 'rejected_by_policy' }, 'no reason given'],
	[{ status: 'deliveryFailed' }, 'no reason given'],
	[{ status: 'permanent-failure' }, 'no reason given'],
	[{ status: 'opted_out' }, 'no reason given'],
	[{ status: 'Temporary failure' }, undefined],
	[{ status: 'not rejected' }, undefined],
	[{ status: 'queued', error: { code: 'X1' } as never }, '{"code":"X1"}'],
	[{ status: 'queued', error: {} as never, errorReason: [] as never }, undefined],
	[{ status: 5 as never, error: false as never }, undefined],
])('%j: %s', (message, reason) => {
	expect(rejectionReason(message)).toBe(reason);
});
