import type { ContactFieldName } from '../service/records';

/** The fields of a contact as the user reads them. */
export const displayNames: Record<ContactFieldName, string> = {
	firstName: 'First Name',
	lastName: 'Last Name',
	email: 'Email',
	phone: 'Phone',
	company: 'Company',
	jobTitle: 'Job Title',
	accountId: 'Account ID',
	source: 'Source',
	tags: 'Tags',
	notes: 'Notes',
};
