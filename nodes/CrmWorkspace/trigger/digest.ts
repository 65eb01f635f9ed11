import { createHash } from 'crypto';

/** A record of the service, of whatever shape. */
export type AnyRecord = Record<string, unknown>;

/**
 * Length of a record's identity digest, in bytes. With 100,000 remembered records, one new record
 * in three billion is taken for a remembered one.
 */
export const identityBytes = 6;

/**
 * A digest of a value: equal values have equal digests, whatever the order of their properties.
 * @param bytes its length, up to 32
 * @returns hexadecimal digits, two for each byte
 */
export function digest(value: unknown, bytes: number): string {
	const text = JSON.stringify(inOneOrder(value)) ?? '';
	return createHash('sha256')
		.update(text)
		.digest('hex')
		.slice(0, 2 * bytes);
}

/** What identifies a record: its id, or its whole content if it has none. */
export function identityParts(record: AnyRecord): unknown {
	const { id } = record;
	return isId(id) ? ['id', String(id)] : ['content', record];
}

/**
 * The digest by which a record is remembered between polls. It does not change with the record's
 * fields if the record has an id.
 */
export function identityDigestOf(record: AnyRecord): string {
	return digest(identityParts(record), identityBytes);
}

function isId(id: unknown): boolean {
	return typeof id === 'number' || (typeof id === 'string' && id !== '');
}

function inOneOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inOneOrder);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([name, part]) => [name, inOneOrder(part)] as const);
	return { object: entries.sort(([one], [other]) => (one < other ? -1 : 1)) };
}
