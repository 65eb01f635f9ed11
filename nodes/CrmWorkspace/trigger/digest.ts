import { createHash } from 'crypto';

/** A record of the service, of whatever shape. */
export type AnyRecord = Record<string, unknown>;

/**
 * Bytes of what stands for a record between polls. That one of 100,000 remembered records is taken
 * for one that is new happens to one new record in three billion.
 */
export const identityBytes = 6;

/**
 * Stands for a value: equal values have equal digests, in whatever order their properties come.
 * @param bytes how long it is, up to 32
 * @returns hexadecimal digits, two for each byte
 */
export function digest(value: unknown, bytes: number): string {
	const text = JSON.stringify(inOneOrder(value)) ?? '';
	return createHash('sha256')
		.update(text)
		.digest('hex')
		.slice(0, 2 * bytes);
}

/** What tells a record from all others: its id, or all that it is. */
export function whatTells(record: AnyRecord): unknown {
	const { id } = record;
	return isId(id) ? ['id', String(id)] : ['content', record];
}

/** Stands for a record between polls, whatever state it is in. */
export function identityOf(record: AnyRecord): string {
	return digest(whatTells(record), identityBytes);
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
