/** What an item of Update Contact asks for. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Lookup } from '../../api/contactFinder';
import { describeUpdate } from '../../api/endpoints';
import { bareAddress, isUuid, normalizedEmail, validateAddress } from '../../api/formats';
import type { ContactFields } from '../../api/records';
import { isTool } from '../../n8n/execution';
import type { ItemReader } from '../../parameters/itemReader';
import { toLocator } from '../../parameters/properties';
import { readFields } from './mapping';
import * as property from './properties';
import { texts } from './texts';

/** The values of the 'Unmapped Fields' option. */
export type UnmappedFieldsMode = 'auto' | 'preserve' | 'leave';

/** What becomes of the tags that a contact has: the values of the 'Tag Mode' option. */
export type TagMode = 'replace' | 'add' | 'remove';

/** How an item names its contact: one from the list by its ID, with the address it had there. */
type ContactReference = { id: string; cachedEmail?: string } | { email: string };

/** What an item asks for. */
export interface Update {
	reference: ContactReference;
	/** What isn't done if it fails, in words. */
	undone: string;
	/** What to write; null clears a field that has a format. */
	fields: ContactFields;
	/** Whether it may give the contact another email address than it has. */
	changesAddress: boolean;
	/** Whether nothing is sent to a contact that has these values already. */
	skipsUnchanged: boolean;
	unmappedFields: UnmappedFieldsMode;
	/** What becomes of the tags that the contact has, where `fields` has some. */
	tagMode: TagMode;
	isDryRun: boolean;
}

/** Whether what is written depends on the tags that the contact has. */
export function dependsOnTags({ tagMode, fields }: Update): boolean {
	return tagMode !== 'replace' && fields.tags !== undefined;
}

/** Whether nothing is written to a contact that has these values already. */
export function comparesFirst(update: Update): boolean {
	return update.skipsUnchanged || update.isDryRun || dependsOnTags(update);
}

/** Whether the contact has to be read, whatever that costs. */
export function needsRecord(update: Update): boolean {
	return update.unmappedFields === 'preserve' || update.isDryRun || dependsOnTags(update);
}

/** What an update looks up of the contacts. */
export function getLookup(update: Update): Lookup {
	const { reference, skipsUnchanged } = update;
	if ('email' in reference) return { email: reference.email };
	if (reference.cachedEmail !== undefined) return { email: reference.cachedEmail };
	return needsRecord(update) ? { needsAllContacts: true } : { maySaveWrite: skipsUnchanged };
}

/**
 * Reads what an item asks for.
 * @throws NodeOperationError for everything that can be seen to be wrong without a request
 */
export function readUpdate(item: ItemReader): Update {
	const options = item.read(property.options) as IDataObject;
	// One that was added is on unless it was switched off.
	const isSwitchedOn = (option: INodeProperties) =>
		Object.hasOwn(options, option.name) && item.boolean(option, options);
	// A model that gives a tag means to add it.
	const isByModel = isTool(item.context.getNode());
	const tagMode = { ...property.tagMode, ...(isByModel && { default: 'add' }) };
	const reference = readReference(item);
	const name = 'email' in reference ? reference.email : (reference.cachedEmail ?? reference.id);
	const { undone } = describeUpdate(name);
	item.notDone = `${undone}.`;
	const fields = readFields(item, item.choice(property.emptyValues, options) === 'clear');
	const { email } = fields;
	const isOwnAddress = 'email' in reference && normalizedEmail(email) === getName(reference);
	return {
		reference,
		undone,
		fields,
		changesAddress: email !== undefined && !isOwnAddress,
		skipsUnchanged: isSwitchedOn(property.skipUnchanged),
		unmappedFields: item.choice(property.unmappedFields, options) as UnmappedFieldsMode,
		tagMode: item.choice(tagMode, options) as TagMode,
		isDryRun: isSwitchedOn(property.dryRun),
	};
}

/**
 * Reads which contact an item is for.
 * @throws NodeOperationError for an id or an email address that cannot be one
 */
function readReference(item: ItemReader): ContactReference {
	const { contact } = property;
	const stored = toLocator(item.stored(contact.name));
	const mode = item.evaluateStored(stored.mode, contact);
	const text = item.filled(stored.value, contact, texts.noContact);
	if (mode === 'email') {
		const email = bareAddress(text);
		const problem = validateAddress(email);
		return problem ? item.refuse(texts.invalidEmail(problem)) : { email };
	}
	if (!isUuid(text)) item.refuse(texts.invalidId(text));
	const listed = mode === 'list' ? String(stored.cachedResultName).split(' · ') : [];
	return { id: text, cachedEmail: listed.find((part) => validateAddress(part) === undefined) };
}

/** What names a contact, in the form in which names are compared. */
export function getName(reference: ContactReference): string {
	return 'email' in reference ? normalizedEmail(reference.email) : reference.id.toLowerCase();
}
