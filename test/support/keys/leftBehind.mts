import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadFromN8n } from '../../../playground/installed.mts';
import { formsOf } from './keyForms.mts';
import { databaseOf } from '../n8n/database.mts';

/**
 * Searches everything that n8n instances have left behind for the keys of their credentials, in any form:
 * each file, and each value of their databases, as a value can span two pages of a file.
 *
 * @param folder in which each n8n, stopped, has a data folder
 * @param further keys to search for
 * @returns the places where a key is, such as a file or a column of a table
 * @throws if there is no key to search for
 */
export function searchLeftBehind(folder: string, further: string[] = []): string[] {
	const dataFolders = readdirSync(folder).map((name) => join(folder, name));
	const forms = [...dataFolders.flatMap(storedKeys), ...further].flatMap(formsOf);
	if (forms.length === 0) throw new Error(`No key to search for is in ${folder}`);
	const places = new Set<string>();
	const look = (place: string, value: string | Uint8Array) => {
		const bytes = Buffer.from(value);
		if (forms.some((form) => bytes.includes(form))) places.add(relative(folder, place));
	};
	for (const file of dataFolders.flatMap(filesIn)) look(file, readFileSync(file));
	for (const dataFolder of dataFolders) {
		for (const { table, column, value } of storedValues(dataFolder)) {
			const place = `${databaseOf(dataFolder)}, ${table}.${column}`;
			look(place, value);
			if (table === 'execution_data' && column === 'data') look(place, decoded(String(value)));
		}
	}
	return [...places];
}

/** What n8n stores of an execution is flatted: a list in which each text stands once. */
export function decoded(data: string): string {
	return JSON.parse(data)
		.map((part: unknown) =>
			typeof part === 'string' ? part : Object.keys(Object(part)).join('\n'),
		)
		.join('\n');
}

interface StoredValue {
	table: string;
	column: string;
	value: string | Uint8Array;
}

function* storedValues(dataFolder: string): Generator<StoredValue> {
	if (!existsSync(databaseOf(dataFolder))) return;
	const database = new DatabaseSync(databaseOf(dataFolder));
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	for (const table of tables.map(({ name }) => String(name))) {
		for (const row of database.prepare(`SELECT * FROM "${table}"`).iterate()) {
			for (const [column, value] of Object.entries(row)) {
				if (typeof value === 'string' || value instanceof Uint8Array)
					yield { table, column, value };
			}
		}
	}
	database.close();
}

/** The keys of all credentials of ours, as n8n itself reads them. */
function storedKeys(dataFolder: string): string[] {
	if (!existsSync(databaseOf(dataFolder))) return [];
	const config = readFileSync(join(dataFolder, '.n8n/config'), 'utf8');
	const { encryptionKey } = JSON.parse(config);
	const database = new DatabaseSync(databaseOf(dataFolder));
	const rows = database
		.prepare("SELECT data FROM credentials_entity WHERE type = 'crmWorkspaceApi'")
		.all();
	database.close();
	return rows
		.map(({ data }) => JSON.parse(decrypted(String(data), encryptionKey)).apiKey ?? '')
		.map((key) => key.trim())
		.filter((key) => key !== '');
}

/** What n8n has encrypted, by n8n's own code. */
function decrypted(data: string, encryptionKey: string): string {
	loadFromN8n('reflect-metadata');
	const { CipherAes256CBC } = loadFromN8n('n8n-core/dist/encryption/aes-256-cbc');
	return new CipherAes256CBC().decrypt(data, encryptionKey);
}

function filesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}
