import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'crypto';

/**
 * Characters of a record's identity, of six bits each. With 100,000 remembered records, one new
 * record in three billion is taken for a remembered one.
 */
const identityLength = 8;

/** A digest of its ID, by which a record is remembered between polls. */
export function computeIdentity({ id }: IDataObject): string {
	return digest(['id', String(id)], identityLength);
}

/** A digest of texts and numbers, in characters of base64url. */
export function digest(value: unknown, length: number): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, length);
}

/** Rows by the identity of a record, as one text, which n8n stores without looking into it. */
export function joinRows(rows: Iterable<[identity: string, row: string]>): string {
	return Array.from(rows, ([identity, row]) => identity + row).join(' ');
}

/** @throws TypeError for anything but text */
export function splitRows(text: string): Map<string, string> {
	const rows = text.split(' ').filter((row) => row !== '');
	return new Map(rows.map((row) => [row.slice(0, identityLength), row.slice(identityLength)]));
}
