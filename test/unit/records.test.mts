import { expect, test } from '@jest/globals';
import { simplifiedMessageFields } from '../../nodes/CrmWorkspace/api/records';

test('what Simplify leaves of a message, which workflows rely on', () => {
	const fields =
		'id status to subject templateSlug idempotencyKey messageId errorReason createdAt sentAt';
	expect(simplifiedMessageFields).toEqual(fields.split(' '));
});
