import { settableFields, type Contact } from '../data/contacts.mts';
import type { StoredMessage } from '../data/messages.mts';
import type { Variants } from '../variants.mts';

type State = 'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'rejected';

const unusualWords: Record<State, string> = {
	queued: 'accepted',
	sent: 'handed_over',
	delivered: 'arrived',
	bounced: 'returned_to_sender',
	complained: 'unwelcome',
	failed: 'undeliverable',
	rejected: 'rejected',
};

/** The state of a message at a time. */
export function stateOf(message: StoredMessage, at: number): State {
	const reached = (time: number | null) => time !== null && time <= at;
	if (message.outcome === 'failed' || message.outcome === 'rejected') return message.outcome;
	if (reached(message.complainedAt)) return 'complained';
	if (reached(message.bouncedAt)) return 'bounced';
	if (reached(message.deliveredAt)) return 'delivered';
	return reached(message.sentAt) ? 'sent' : 'queued';
}

/**
 * A message as clients see it at a time.
 *
 * Interface: MESSAGE-1, MESSAGE-2, MESSAGE-3, MESSAGE-4, MESSAGE-5, MESSAGE-6, MESSAGE-7,
 * MESSAGE-8, MESSAGE-9, MESSAGE-10, MESSAGE-11, MESSAGE-12, MESSAGE-13, MESSAGE-14, MESSAGE-15,
 * MESSAGE-16, MESSAGE-17, MESSAGE-18, MESSAGE-19, MESSAGE-20, MESSAGE-21, MESSAGE-22.
 */
export function presentMessage(message: StoredMessage, at: number, variants: Variants) {
	const state = stateOf(message, at);
	const moment = (time: number | null) =>
		time !== null && time <= at ? new Date(time).toISOString() : null;
	return present(
		{
			id: message.id,
			status: variants.service === 'odd' ? unusualWords[state] : state,
			to: message.to,
			subject: message.subject,
			templateSlug: message.templateSlug,
			from: message.from,
			fromName: message.fromName,
			replyTo: message.replyTo,
			messageId: message.messageId,
			idempotencyKey: message.idempotencyKey,
			source: 'api',
			attemptCount: message.outcome === 'rejected' ? 0 : 1,
			error: message.error,
			errorReason: message.errorReason,
			bounceType: moment(message.bouncedAt) && 'Permanent',
			createdAt: moment(message.createdAt),
			sentAt: moment(message.sentAt),
			deliveredAt: moment(message.deliveredAt),
			bouncedAt: moment(message.bouncedAt),
			complainedAt: moment(message.complainedAt),
		},
		variants,
	);
}

/**
 * A contact as clients see it.
 *
 * Interface: CONTACT-3, CONTACT-4, CONTACT-5, CONTACT-6, CONTACT-7, CONTACT-8, CONTACT-9,
 * CONTACT-10, CONTACT-11, CONTACT-12, CONTACT-13, CONTACT-14, CONTACT-15, CONTACT-16.
 */
export function presentContact(contact: Contact, variants: Variants) {
	const { id, companyId, createdAt, updatedAt } = contact;
	const fields = Object.fromEntries(settableFields.map((field) => [field, contact[field]]));
	return presentRecord({ id, companyId, ...fields, createdAt, updatedAt }, variants);
}

/** A record of a list as clients see it. */
export function presentRecord(record: Record<string, unknown>, variants: Variants) {
	const fields = Object.entries(record).flatMap(([name, value]) =>
		timesOfRecords.includes(name) ? writtenTime(name, value, variants.timestamps) : [[name, value]],
	);
	return present(Object.fromEntries(fields), variants);
}

/** Applies the variants to fields without a value, and adds unknown fields. */
function present(record: Record<string, unknown>, variants: Variants) {
	const shown = Object.entries(record).flatMap(([name, value]) => {
		if (value !== null || variants.missingValues === 'null') return [[name, value]];
		if (variants.missingValues === 'absent') return [];
		return [[name, name === 'tags' ? [] : '']];
	});
	return { ...Object.fromEntries(shown), ...(variants.service === 'odd' ? extraRecordFields : {}) };
}

/** Unknown fields beside `data`, if the service is odd. */
export function extraEnvelopeFields(variants: Variants) {
	return variants.service === 'odd' ? { requestId: 'request-0', apiVersion: 'v1' } : {};
}

const extraRecordFields = { object: 'record', version: 3, links: { self: null }, custom: [] };

const timesOfRecords = ['createdAt', 'updatedAt'];

/** A time with the precision of the variant. Tests may store other text, which stays as it is. */
function writtenTime(name: string, stored: unknown, timestamps: Variants['timestamps']) {
	if (timestamps === 'absent') return [];
	const time = Date.parse(String(stored));
	if (timestamps === 'milliseconds' || Number.isNaN(time)) return [[name, stored]];
	return [[name, `${new Date(time).toISOString().slice(0, 19)}Z`]];
}
