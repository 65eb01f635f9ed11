import { expect, test } from '@jest/globals';
import { findRejection } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/deliver';
import type { Message } from '../../nodes/CrmWorkspace/api/records';

// Interface: MESSAGE-2, MESSAGE-16, OPEN-2, OPEN-3.
test.each<[Message, string]>([
	[{ status: 'rejected' }, 'status “rejected”'],
	[{ status: 'REJECTED', errorReason: 'suppressed' }, 'suppressed'],
	[{ status: 'failed', error: '550 no such user', errorReason: 'smtp' }, 'smtp: 550 no such user'],
	[{ status: 'failed', error: 'refused', errorReason: 'refused' }, 'refused'],
	[{ status: 'bounced', bounceType: 'Permanent' }, 'permanent bounce'],
	[{ status: 'failed', attemptCount: 3, sentAt: '2026-01-01T00:00:00Z' }, 'status “failed”'],
	[{ status: 'Undeliverable' }, 'status “Undeliverable”'],
])('is not delivered: %j: %s', (message, reason) => {
	expect(findRejection(message)).toEqual({ reason, isFinal: true });
});

// Interface: MESSAGE-12, MESSAGE-13, MESSAGE-14, MESSAGE-15.
test.each<[Message, string]>([
	[{ error: 'refused', errorReason: 'refused' }, 'refused'],
	[{ status: 'queued', attemptCount: 1, error: '451 greylisted' }, '451 greylisted'],
	[{ status: 'sent', errorReason: 'greylisted' }, 'greylisted'],
	[{ status: 'rejected', deliveredAt: '2026-01-01T00:00:00Z' }, 'status “rejected”'],
	[{ bounceType: 'Permanent', deliveredAt: '2026-01-01T00:00:00Z' }, 'permanent bounce'],
])('may still be delivered: %j: %s', (message, reason) => {
	expect(findRejection(message)).toEqual({ reason, isFinal: false });
});

// Interface: MESSAGE-19, MESSAGE-22, OPEN-2.
test.each<Message>([
	{},
	{ status: 'queued' },
	{ status: 'something new' },
	{ status: 'sent', error: '', errorReason: null as never, bounceType: null as never },
	{ status: 'bounced', bounceType: 'Transient' },
	{ status: 'sent', errorReason: 'greylisted', deliveredAt: '2026-01-01T00:00:00Z' },
])('nothing says that it is not delivered: %j', (message) => {
	expect(findRejection(message)).toBeUndefined();
});
