import { hash } from 'node:crypto';

/**
 * The two kinds of data a key can address.
 * Interface: AUTH-4, AUTH-5.
 */
export const modes = ['test', 'live'] as const;
export type Mode = (typeof modes)[number];

/** Makes something for each mode. */
export function forEachMode<Value>(make: (mode: Mode) => Value): Record<Mode, Value> {
	return { test: make('test'), live: make('live') };
}

/**
 * A UUID (version 4 in form) that depends on nothing but the parts.
 * @param parts what the id stands for, such as seed, mode, kind and number
 */
export function uuidFrom(...parts: Array<string | number>): string {
	const hex = hash('sha256', parts.join('/'), 'hex');
	const variant = '89ab'[parseInt(hex[16], 16) % 4];
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`4${hex.slice(13, 16)}`,
		`${variant}${hex.slice(17, 20)}`,
		hex.slice(20, 32),
	].join('-');
}

/** Gives each ID once, for what is created. @param start another one gives other IDs */
export function newIdsFrom(seed: number, start: number): (mode: Mode) => string {
	let given = 0;
	return (mode) => uuidFrom(seed, mode, 'new', start, (given += 1));
}

/** The company (workspace) that a mode's records belong to. */
export function companyIdFor(seed: number, mode: Mode): string {
	return uuidFrom(seed, mode, 'company');
}

/** The API key of a mode: the same seed always gives the same key. */
export function apiKeyFor(seed: number, mode: Mode): string {
	return `sk_${mode}_${hash('sha256', `${seed}/${mode}/key`, 'hex').slice(0, 40)}`;
}
