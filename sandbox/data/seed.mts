import type { Faker } from '@faker-js/faker';
// Not from the package's main file, which loads all seventy languages.
import { faker } from '@faker-js/faker/locale/en';

import { forEachMode, modes, uuidFrom, type Mode } from '../identity.mts';
import type { Contact } from './contacts.mts';
import { recordKindNames, recordKinds, type RecordKindName } from './recordKinds.mts';
import type { StoredRecord } from './records.mts';
import { seededContacts } from './seededContacts.mts';

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

/** The generated data of a workspace. */
export interface SeededData {
	contacts: Array<Partial<Contact>>;
	records: Array<[RecordKindName, StoredRecord[]]>;
}

/** The data of the last reset: tests reset often, mostly to the same seed. */
let last: { key: string; data: Record<Mode, SeededData> } | undefined;

/** Generates the data of both workspaces. */
export function seededData({ seed, contacts }: Seed): Record<Mode, SeededData> {
	const key = `${seed}/${contacts}`;
	if (last?.key !== key) {
		const data = forEachMode((mode): SeededData => {
			const maker = makerFor(seed, mode);
			const records = recordKindNames.map((name): [RecordKindName, StoredRecord[]] => [
				name,
				recordKinds[name].seeded(maker),
			]);
			return { records, contacts: seededContacts(maker, contacts) };
		});
		last = { key, data };
	}
	return last.data;
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
