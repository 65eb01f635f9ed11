import { DatabaseSync } from 'node:sqlite';

const tables = `
	CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
	CREATE TABLE IF NOT EXISTS contacts (
		position INTEGER PRIMARY KEY, mode TEXT NOT NULL, id TEXT NOT NULL, companyId TEXT NOT NULL,
		firstName TEXT, lastName TEXT, email TEXT, phone TEXT, company TEXT, jobTitle TEXT,
		accountId TEXT, source TEXT, tags TEXT, notes TEXT,
		createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL,
		UNIQUE (mode, id)
	);
	CREATE INDEX IF NOT EXISTS contactsInOrder ON contacts (mode, position);
	CREATE INDEX IF NOT EXISTS contactsByEmail ON contacts (mode, email COLLATE NOCASE);
	CREATE INDEX IF NOT EXISTS contactsByAge ON contacts (mode, createdAt, position);
	CREATE INDEX IF NOT EXISTS contactsByChange ON contacts (mode, updatedAt, position);
	CREATE INDEX IF NOT EXISTS contactsShuffled
		ON contacts (mode, (position * 2654435761) & 4294967295);
	CREATE TABLE IF NOT EXISTS records (
		position INTEGER PRIMARY KEY, mode TEXT NOT NULL, collection TEXT NOT NULL,
		id TEXT NOT NULL, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL, record TEXT NOT NULL
	);
	CREATE INDEX IF NOT EXISTS recordsByCollection ON records (mode, collection, position);
	CREATE TABLE IF NOT EXISTS messages (
		position INTEGER PRIMARY KEY, mode TEXT NOT NULL, id TEXT NOT NULL,
		idempotencyKey TEXT, message TEXT NOT NULL
	);
	CREATE INDEX IF NOT EXISTS messagesById ON messages (mode, id);
	CREATE INDEX IF NOT EXISTS messagesByKey ON messages (mode, idempotencyKey);
	CREATE TABLE IF NOT EXISTS inbox (
		position INTEGER PRIMARY KEY, mode TEXT NOT NULL, messageId TEXT NOT NULL
	);
	CREATE INDEX IF NOT EXISTS inboxByMessage ON inbox (mode, messageId);
`;

const tableNames = ['facts', 'contacts', 'records', 'messages', 'inbox'];

/**
 * Opens the sandbox's storage, with its tables.
 * @param path a file, or `:memory:`
 */
export function openDatabase(path: string): DatabaseSync {
	const database = new DatabaseSync(path);
	// Losing the last writes in a power cut is fine for a sandbox; waiting for the disk is not.
	database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;');
	database.exec(tables);
	database.function('lowerCase', { deterministic: true, varargs: true }, lowerCase);
	return database;
}

/** Empties all tables. */
export function emptyDatabase(database: DatabaseSync): void {
	for (const table of tableNames) database.exec(`DELETE FROM ${table}`);
}

/** Does all of some work, or none of it. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
	database.exec('BEGIN');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		database.exec('ROLLBACK');
		throw error;
	}
}

/** A stored number, if there is one. */
export function factFrom(database: DatabaseSync, name: string): number | undefined {
	const row = database.prepare('SELECT value FROM facts WHERE name = ?').get(name);
	return row?.value as number | undefined;
}

/** Stores a number. */
export function keepFact(database: DatabaseSync, name: string, value: number): void {
	database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)').run(name, value);
}

/** The next number of a series, which is never used again. */
export function nextNumber(database: DatabaseSync, series: string): number {
	const row = database
		.prepare(
			`INSERT INTO facts VALUES (?, 1) ON CONFLICT DO UPDATE SET value = value + 1 RETURNING value`,
		)
		.get(series);
	return row!.value as number;
}

/** Fields as one text in lower case, in any script. */
function lowerCase(...fields: unknown[]): string {
	return fields.filter(Boolean).join('\n').toLowerCase();
}
