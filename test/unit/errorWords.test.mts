import { describe, expect, test } from '@jest/globals';
import {
	namesReference,
	namesWithoutValue,
	saysEmailTaken,
	saysNoContact,
	saysOnlyNotFound,
} from '../../nodes/CrmWorkspace/service/errorWords';

const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

// Interface: OPEN-17.
describe('that there is no such contact', () => {
	test.each([
		{ code: 'CONTACT_NOT_FOUND' },
		{ code: 'contact_not_found' },
		{ code: 'ContactNotFound' },
		{ code: 'contact.not_found' },
		{ code: 'UNKNOWN_CONTACT' },
		{ code: 'NOT_FOUND', message: 'Contact not found' },
		{ message: `There is no contact ${id}` },
		{ message: `Contact ${id} was not found.` },
		{ message: `Contact with id "${id}" does not exist` },
		{ message: 'This contact doesn’t exist' },
		{ message: "This contact doesn't exist" },
		{ message: `Couldn't find Contact with 'id'=${id}` },
		{ message: `No query results for model [App\\Models\\Contact] ${id}` },
		{ message: 'No such contact' },
		{ message: 'Bad request. The contact could not be found' },
	])('is said by %j', (said) => {
		expect(saysNoContact(said)).toBe(true);
	});

	test.each([
		{},
		{ code: 'NOT_FOUND' },
		{ message: 'API key not found' },
		{ message: 'Plan does not exist' },
		{ code: 'ACCOUNT_NOT_FOUND', message: 'There is no account for this contact' },
		{ message: 'The contact refers to an account that does not exist' },
		{ message: 'Account of the contact not found' },
		{ message: 'You have no contact permissions' },
		{ message: `Cannot PUT /api/v1/contacts/${id}` },
		{ message: `No route matches [PUT] "/api/v1/contacts/${id}"` },
		{ code: 'CONTACT_LOCKED', message: 'Its owner was not found' },
		{ message: 'contact.accountId does not exist' },
	])('is not said by %j', (said) => {
		expect(saysNoContact(said)).toBe(false);
	});
});

// Interface: ERROR-2, OPEN-15.
describe('that another contact has the email address', () => {
	test.each([
		{ code: 'EMAIL_TAKEN' },
		{ code: 'email_already_exists' },
		{ code: 'EmailAlreadyInUse' },
		{ code: 'DUPLICATE_EMAIL' },
		{ code: 'EMAIL_CONFLICT' },
		{ message: 'The email ada@example.com is already used by another contact' },
		{ message: 'ada@example.com is already taken' },
		{ message: 'email has already been taken; tags are too many' },
		{ message: 'The email has already been taken.' },
		{ message: 'Contact with this email already exists.' },
		{ message: 'A contact with the e-mail address ada.lovelace@example.com exists' },
		{ message: 'Another contact has this email' },
		{ message: 'email must be unique' },
		{ message: 'Email is not unique' },
		{ message: 'duplicate key value violates unique constraint "contacts_email_key"' },
		{ message: 'E11000 duplicate key error: email' },
	])('is said by %j', (said) => {
		expect(saysEmailTaken(said)).toBe(true);
	});

	test.each([
		{},
		{ code: 'CONFLICT', message: 'Conflict' },
		{ message: 'duplicate tag' },
		{ message: 'Duplicate tag, email is invalid' },
		{ message: 'The contact ada@example.com has a duplicate tag' },
		{ code: 'VERSION_CONFLICT', message: 'The contact was changed meanwhile' },
		{ message: 'The email cannot be changed: the contact is already archived' },
		{ message: 'taken@example.com is no email' },
		{ message: 'unique-1@example.com is no address' },
		{ message: 'email must be an email' },
		{ message: 'The phone number is already used by another contact' },
	])('is not said by %j', (said) => {
		expect(saysEmailTaken(said)).toBe(false);
	});
});

test.each<[object, boolean]>([
	[{}, true],
	[{ message: 'Not Found' }, true],
	[{ code: '404', message: 'Not found.' }, true],
	[{ code: 'RESOURCE_NOT_FOUND', message: 'The requested resource was not found' }, true],
	[{ message: 'Gone' }, true],
	[{ message: 'Account not found' }, false],
	[{ message: 'Not found: the template of this message' }, false],
	[{ message: 'a web page titled “404 Not Found”' }, false],
	[{ message: 'Cannot PUT /contacts/1' }, false],
])('whether %j says only that something was not found: %s', (said, expected) => {
	expect(saysOnlyNotFound(said)).toBe(expected);
});

describe('that one of the records is meant which a message refers to', () => {
	test.each([
		['template', { message: 'Template not found' }],
		['channel', { code: 'CHANNEL_NOT_FOUND' }],
		['contact', { message: 'Not found. There is no such contact' }],
	] as const)('the %s is named by %j', (reference, said) => {
		expect(namesReference(reference, said)).toBe(true);
	});

	test.each([
		{},
		{ message: 'Not found' },
		{ message: 'No such contactless card' },
		{ message: 'Template not found' },
	])('the contact is not named by %j', (said) => {
		expect(namesReference('contact', said)).toBe(false);
	});
});

test('UUIDs and addresses in the middle of words do not hide what is said', () => {
	expect(saysNoContact({ message: `Contact${id}not found` })).toBe(true);
	expect(saysOnlyNotFound({ message: `Resource ${id} not found` })).toBe(true);
	expect(saysOnlyNotFound({ message: 'Resource not found!' })).toBe(true);
	expect(saysEmailTaken({ message: 'ada.lovelace@example.com is taken' })).toBe(true);
});

test('what stands far behind the beginning is not read', () => {
	const filling = 'a'.repeat(1000);
	expect(saysNoContact({ message: `${filling}. Contact not found` })).toBe(false);
	expect(saysNoContact({ code: `${filling}_CONTACT_NOT_FOUND` })).toBe(false);
	expect(namesReference('template', { code: `${filling} template` })).toBe(false);
	expect(namesWithoutValue({ message: `${filling}: no value and no default: total` })).toEqual([]);
});

// Interface: SEND-12, ERROR-1, OPEN-14, OPEN-16.
describe('the tokens that have no value', () => {
	test.each([
		{ code: 'MISSING_VARIABLES', message: 'No value and no default for: orderNumber, total' },
		{ code: 'missing_variables', message: 'No value and no default for: orderNumber, total' },
		{ message: 'No value and no default for: orderNumber, total.' },
		{
			message: 'Validation failed. Error count: 1: No value and no default for: orderNumber,total',
		},
		{ message: 'Missing variables: orderNumber, total' },
		{
			code: 'MISSING_TOKENS',
			message: 'These have neither value nor fallback: orderNumber, total',
		},
		{ message: 'The following template variables are required: orderNumber, total' },
	])('are named by %j', (said) => {
		expect(namesWithoutValue(said)).toEqual(['orderNumber', 'total']);
	});

	test('may be parts of a variable', () => {
		const message = 'No value and no default for: contact.first_name';
		expect(namesWithoutValue({ message })).toEqual(['contact.first_name']);
	});

	test.each([
		{},
		{ code: 'MISSING_VARIABLES' },
		{ code: 'MISSING_VARIABLES', message: 'a web page titled “Error 422”' },
		{ code: 'MISSING_VARIABLES', message: 'See: the log of this send' },
		{ code: 'VALIDATION_ERROR', message: 'Required: to' },
		{ message: 'The variable of this template is too long: 300' },
	])('are not named by %j', (said) => {
		expect(namesWithoutValue(said)).toEqual([]);
	});
});
