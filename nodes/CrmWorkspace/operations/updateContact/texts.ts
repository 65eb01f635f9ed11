/** What errors and hints of Update Contact say: titles and advice by name. */
import { validateValue } from '../../api/formats';
import {
	contactSources,
	nameContact,
	type Contact,
	type ContactFieldName,
} from '../../api/records';
import { isContentRejected, type FailureDetails } from '../../client/failure';
import { formatList, shorten, toPlainText, type Explanation, type Texts } from '../../common/text';
import { describeFailure, explainUnknown } from '../../n8n/texts';
import { displayNames, formatFields } from '../../parameters/properties';
import { quote } from '../../parameters/value';

const allFields = Object.values(displayNames).join(', ');

const removeOrRename = `Remove or rename it. The fields of a contact are ${allFields}.`;

const correctIt = 'Correct the value in the source of the data';

const otherColumn = 'if the column means something else, rename it, or map the fields by hand';

const newEmailAdvice =
	'Another contact may have this email address: change that contact first; to swap two addresses, give one contact a temporary address.';

/**
 * Why an update failed, in words that finish “The contact … wasn't updated: …”, and what to do.
 * Interface: UPDATE-5, ERROR-2, OPEN-15, OPEN-17.
 */
export function explainFailure(details: FailureDetails, isNewEmail: boolean): Explanation {
	const [reason, advice = ''] = explainAttempt(details, isNewEmail);
	if (!details.isOutcomeUnknown) return [reason, advice];
	return [explainUnknown(reason, details), `Updating it again is safe. ${advice}`.trim()];
}

/** What the last attempt shows. */
function explainAttempt(details: FailureDetails, isNewEmail: boolean): Explanation {
	if (details.statusCode === 404 || details.statusCode === 410) {
		return [
			"the service doesn't know it",
			"It may be deleted, or belong to the data of the other mode; if all contacts are unknown, check 'Base URL' in the credential.",
		];
	}
	if (!isContentRejected(details)) return describeFailure(details);
	const correction = details.message ? 'Correct what the service names.' : '';
	return ['the service rejected the update', isNewEmail ? newEmailAdvice : correction];
}

const formatShort = (value: unknown) =>
	shorten(Array.isArray(value) ? value.join(', ') : String(value));

/** What an update may have cost a contact: nothing else shows the values. */
export function lostValues(contact: Contact, names: ContactFieldName[]): string {
	const values = names.map((name) => `${displayNames[name]} “${formatShort(contact[name])}”`);
	return toPlainText(
		`${nameContact(contact)} may have lost values, which running the item again doesn't restore. Check the contact, and re-enter missing values: ${values.join(', ')}.`,
	);
}

/** Why the service may not accept values that a contact has. */
const problemsOf = (contact: Contact, names: ContactFieldName[]): string =>
	names.map((name) => `'${displayNames[name]}' ${validateValue(name, contact[name])}`).join('; ');

const mayBeEmpty = (contact: Contact) =>
	`Unmapped fields of ${nameContact(contact)} may be empty now`;

export const texts = {
	// Parameters
	noContact: 'Choose a contact from the list, or enter its ID or its email address.',
	invalidEmail: (problem: string) => [
		`'Contact' ${problem}`,
		'Enter the email address of one contact, like nathan@example.com.',
	],
	invalidId: (given: string) => [
		`'Contact' isn't a UUID: ${quote(given)}`,
		"Choose a contact from the list, or enter its ID, like 7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33. To use its email address, set 'Contact' to By Email.",
	],
	secondColumn: (column: string, name: ContactFieldName) => [
		`${quote(column)} is a second column for '${displayNames[name]}'`,
		removeOrRename,
	],
	notAField: (column: string) => [
		`'Fields' has ${quote(column)}, which isn't a field`,
		removeOrRename,
	],
	/** @param names what is known of the names that expressions have */
	nothingToUpdate: (columns: string[], names = '') => {
		const reason = names || `The item has ${formatList(columns) || 'no fields'}.`;
		const advice = `Enter a value for one of ${allFields}, or skip such items with a Filter node.`;
		return ['Nothing to update: no field has a value', `${reason} ${advice}`];
	},
	// Values of fields
	/** @param isByHand whether the user maps each field */
	invalidCell: (name: ContactFieldName, problem: string, isByHand: boolean, advice = '') => [
		`'${displayNames[name]}' ${problem}`,
		`${advice} ${isByHand ? correctIt : `${correctIt}; ${otherColumn}`}.`.trim(),
	],
	giveOneText: `Give one text, such as {{ $json.phone.mobile }} or {{ $json.names.join(", ") }}. ${correctIt}.`,
	notAValue: (text: string) => `is ${quote(text)}, which isn't a value`,
	hasNoValue: (text: string) => `has ${quote(text)}, which isn't a value`,
	otherSource: (problem: string) => `${problem}. Use ${contactSources.join(', ')}`,
	/** @param sign what may separate the tags, in words */
	hasSign: (sign: string | undefined, tags: string) =>
		`has ${sign ?? 'brackets or quotes'}: ${quote(tags)}`,
	/** @param path of the column, such as `.tags` */
	separateTags: (path: string) =>
		`Separate tags by commas, or write {{ String($json${path} ?? "").replace(/[\\[\\]{}"']/g, "").split(/[,;|\\n]/) }}.`,
	noTags: 'is neither a list of texts nor text separated by commas',
	giveTags:
		'Give tags like vip, customer, or a list of texts, such as {{ $json.tags.pluck("name") }}.',
	// The contact
	/** @param name such as `the ID …` */
	notFound: (name: string) => [
		`No contact with ${name} was found`,
		'Nothing was written for this item. All contacts were read: the contact may be deleted, or belong to the other mode, because test and live data are separate. If contacts were added or removed during the reading, run this item again.',
	],
	severalHave: (email: string, ids: string[]) => [
		`${ids.length} contacts have the email ${email}: ${formatList(ids)}`,
		'Nothing was changed. Give each an email address of its own, or choose one By ID.',
	],
	unknownValues: (contact: string, names: ContactFieldName[]) => [
		`The service doesn't show ${formatFields(names)} of ${contact}`,
		"Nothing was changed, because values could get lost. If the service leaves out what has no value, set 'Tag Mode' to Replace All, and 'Unmapped Fields' to Auto-Detect.",
	],
	earlierUnknown: (contact: string) => [
		`The outcome of an earlier update of ${contact} is unknown`,
		"This item wasn't updated: run it again. The service may have made the earlier update.",
	],
	// What became of an update
	mayBeEmpty,
	notCleared: (contact: Contact, names: ContactFieldName[]) => [
		`The service didn't clear ${formatFields(names)} of ${nameContact(contact)}`,
		'All other mapped values were written. Clear it in the service.',
	],
	/** @param names of the fields whose values were sent along, and may not be accepted */
	rejectedWithUnmapped: (contact: Contact, names: ContactFieldName[]) => {
		const problems = problemsOf(contact, names);
		const perhaps = problems && `, perhaps for a value that the contact has: ${problems}`;
		return [
			`the service rejected the update${perhaps}`,
			"The values of unmapped fields were sent along, so that none is lost ('Unmapped Fields'); one of them may be the reason. Correct it in the service, or map the field to a value that the service accepts.",
		];
	},
	/** @param names of the fields whose values the service may not accept any more */
	notRestored: (contact: Contact, names: ContactFieldName[], loss: string) => [
		`${mayBeEmpty(contact)}: they couldn't be written back`,
		`${problemsOf(contact, names)}. ${loss}`,
	],
	// Hints of a run
	restored: (names: ContactFieldName[]) =>
		`The response to an update didn't show values that the contact had in ${formatFields(names)}. The node wrote them back, and sent the values of unmapped fields along from then on. To send them along from the start, set 'Unmapped Fields' to Always Preserve; if you know that the service keeps them, to Don't Preserve`,
	unseen: (names: ContactFieldName[]) =>
		`The service clears fields that an update leaves out, and no contact that was read shows ${formatFields(names)}. Values there may be lost: check a contact, and set 'Unmapped Fields' to Always Preserve, so that such contacts fail instead`,
	/** An example of a value that the service stored otherwise. */
	became: (given: unknown, shown: unknown) =>
		`“${formatShort(given)}” became “${formatShort(shown)}”`,
	altered: (values: Array<[ContactFieldName, string]>) =>
		`The service stored other values than the node wrote: ${values.map(([name, example]) => `'${displayNames[name]}' ${example}`).join(', ')}. If it keeps values in a form of its own, write them in that form: otherwise 'Skip Unchanged' writes such rows each time`,
	nothingElseShown:
		"The node updated contacts that it hadn't read, and a response shows no value in unmapped fields. If the contacts had some, the service has cleared them. Check one, and set 'Unmapped Fields' to Always Preserve, or, if nothing is lost, to Don't Preserve",
	sameContact:
		"All items are for the same contact. If each item is for a contact of its own, set 'Contact' to By Email or By ID, with an expression such as {{ $json.email }}",
	/** @param names those of fields mapped by hand, or of columns */
	withoutField: (names: string[], isByHand: boolean) =>
		`${isByHand ? 'No updated item has a value for' : 'No field of a contact has the name of these columns:'} ${formatList(names)}`,
	wouldBeUpdated: (count: number) => `Dry run, nothing was written: ${count} would be updated`,
	updated: (count: number) => `${count} updated`,
	summary: (written: string, unchanged: number, failed: number) =>
		`${written}, ${unchanged} unchanged, ${failed} failed`,
} satisfies Texts;
