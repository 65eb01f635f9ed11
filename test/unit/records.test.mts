import { expect, test } from '@jest/globals';
import {
	contactSources,
	pickFields,
	simplifiedContactFields,
	simplifiedMessageFields,
} from '../../nodes/CrmWorkspace/api/records';

test('what Simplify leaves of a message and of a contact, which workflows rely on', () => {
	expect(simplifiedMessageFields).toEqual(
		'id status to subject templateSlug idempotencyKey messageId errorReason createdAt sentAt'.split(
			' ',
		),
	);
	expect(simplifiedContactFields).toEqual(
		'id email firstName lastName phone company jobTitle source tags updatedAt'.split(' '),
	);
});

// Interface: CONTACT-12.
test('the sources that the interface takes', () => {
	expect(contactSources).toEqual(
		'website referral cold_call marketing trade_show partner'.split(' '),
	);
});

test('a simplified record has the named fields in their order, and none that is absent', () => {
	const record = { notes: 'x', email: null, id: '1', tags: [] };
	const part = pickFields(record, ['id', 'email', 'firstName', 'tags']);
	expect(Object.entries(part)).toEqual([
		['id', '1'],
		['email', null],
		['tags', []],
	]);
});
