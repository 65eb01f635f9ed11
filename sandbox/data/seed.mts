import type { Faker } from '@faker-js/faker';
// Not from the package's main file, which loads all seventy languages.
import { faker } from '@faker-js/faker/locale/en';
import type { DatabaseSync } from 'node:sqlite';

import { modes, uuidFrom, type Mode } from '../identity.mts';
import { recordKindNames, recordKinds, type RecordKindName } from './recordKinds.mts';
import { Contacts, type Contact } from './contacts.mts';
import { emptyDatabase, factFrom, keepFact } from './database.mts';
import { seededContacts } from './seededContacts.mts';
import { Records, type StoredRecord } from './records.mts';

/** How to generate the data. */
export interface Seed {
	/** The same seed gives the same data. */
	seed: number;
	/** Contacts per workspace. */
	contacts: number;
}

/** Helpers that generate the data of a workspace. */
export interface Maker {
	mode: Mode;
	faker: Faker;
	/** The id of the n-th thing of a kind. */
	id(kind: string, number: number): string;
	/** A time this many days before `seededDay`. */
	daysAgo(days: number): string;
}

/** Generated times are relative to this day, so they are always the same. */
const seededDay = Date.parse('2026-06-01T09:00:00.000Z');
const day = 24 * 60 * 60 * 1000;

/** The data of a workspace. */
interface Filling {
	contacts: Array<Partial<Contact>>;
	records: Record<RecordKindName, StoredRecord[]>;
}

/** Empties the database and fills both workspaces. */
export function seedDatabase(database: DatabaseSync, seed: Seed): void {
	const fillings = fillingsFrom(seed);
	const moment = new Date(seededDay).toISOString();
	emptyDatabase(database);
	keepFact(database, 'seed', seed.seed);
	for (const mode of modes) {
		const { contacts, records } = fillings[mode];
		const stored = new Records(database);
		for (const collection of recordKindNames)
			stored.replaceAll(mode, collection, records[collection]);
		new Contacts(database, seed.seed).insert(mode, contacts, moment);
	}
}

/** The data of the last reset: tests reset often, mostly to the same seed. */
let lastMade: { key: string; fillings: Record<Mode, Filling> } | undefined;

function fillingsFrom({ seed, contacts }: Seed): Record<Mode, Filling> {
	const key = `${seed}/${contacts}`;
	if (lastMade?.key !== key) {
		const filling = (mode: Mode): Filling => {
			const maker = makerFor(seed, mode);
			const records = recordKindNames.map((name) => [name, recordKinds[name].seeded(maker)]);
			return { contacts: seededContacts(maker, contacts), records: Object.fromEntries(records) };
		};
		lastMade = { key, fillings: { test: filling('test'), live: filling('live') } };
	}
	return lastMade.fillings;
}

/** @returns whether the database (a file from an earlier run) already holds this seed's data */
export function holdsSeed(database: DatabaseSync, seed: number): boolean {
	return factFrom(database, 'seed') === seed;
}

/** For one workspace at a time: both draw from the same random numbers. */
function makerFor(seed: number, mode: Mode): Maker {
	faker.seed(seed * 2 + modes.indexOf(mode));
	return {
		mode,
		faker,
		id: (kind, number) => uuidFrom(seed, mode, kind, number),
		daysAgo: (days) => new Date(seededDay - Math.round(days * day)).toISOString(),
	};
}
