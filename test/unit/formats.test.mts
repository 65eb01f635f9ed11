import { describe, expect, test } from '@jest/globals';
import { validateAddress, isUuid, normalizedEmail } from '../../nodes/CrmWorkspace/api/formats';

// Interface: SEND-2, SEND-6, SEND-19, CONTACT-7.
describe('one recipient', () => {
	test.each([
		'nathan@example.com',
		"o'hara+news@sub.example.co.uk",
		'jürgen@exämple.de',
		`${'a'.repeat(242)}@example.com`,
		"!#$%&*+-/=?^_`{|}~'@example.com",
	])('%s', (email) => {
		expect(validateAddress(email)).toBeUndefined();
	});

	test.each([
		['', 'is empty'],
		['a@example.com,b@example.com', 'is more than one address'],
		['a@example.com; b@example.com', 'is more than one address'],
		['a@example.com b@example.com', 'is more than one address'],
		['a@example.com,', "isn't an email address"],
		['a@example.com;b', "isn't an email address"],
		['a@example,com', "isn't an email address"],
		['a@@example.com', "isn't an email address"],
		['nathan', "isn't an email address"],
		['nathan@', "isn't an email address"],
		['nathan@example', "isn't an email address"],
		['nathan@example..com', "isn't an email address"],
		['nathan smith@example.com', "isn't an email address"],
		['Nathan <nathan@example.com>', "isn't an email address"],
		['nathan@example.com\r\nBcc: x', 'has an invisible character'],
		[`${'a'.repeat(243)}@example.com`, "isn't an email address"],
	])('“%s” %s', (email, problem) => {
		expect(validateAddress(email)).toMatch(problem);
	});
});

// Interface: SEND-21, SEND-25, UPDATE-2, CONTACT-11.
test.each([
	['7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33', true],
	['7C9A1D52-6B1F-4F0E-9B1D-0C2F5A7E4D33', true],
	['7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d3', false],
	['7c9a1d526b1f4f0e9b1d0c2f5a7e4d33', false],
	['7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33/..', false],
	['x/7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33', false],
	['../contacts', false],
	['', false],
])('“%s” is a UUID: %s', (text, expected) => {
	expect(isUuid(text)).toBe(expected);
});

describe('email addresses are compared', () => {
	test.each([
		['without white space around them', ' ada@example.com\u00a0\n', 'ada@example.com'],
		['whatever their case', 'ADA@Example.Com', 'ada@example.com'],
		['in any script', 'ÄDA@example.com', 'äda@example.com'],
	])('%s', (_how, one, other) => {
		expect(normalizedEmail(one)).toBe(normalizedEmail(other));
	});

	test.each([
		['that share a beginning', 'ada@example.com', 'ada@example.co'],
		['that differ by a dot', 'ada.l@example.com', 'adal@example.com'],
	])('as different ones %s', (_how, one, other) => {
		expect(normalizedEmail(one)).not.toBe(normalizedEmail(other));
	});
});
