import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadFromN8n } from '../../../playground/installed.mts';
import { formsOf } from './keyForms.mts';
import { databaseOf } from '../n8n/database.mts';

/** What a search went through. */
export interface Searched {
	n8ns: number;
	files: number;
	bytes: number;
	/** Executions whose data was read. */
	executions: number;
	keys: number;
	/** For each key that was found, in whichever form, the places, such as a file or a column. */
	found: Map<string, Set<string>>;
}

/**
 * Searches everything that n8ns have left behind for every key that their credentials hold: each
 * file as it is, and each value of their databases, what is not yet written back (WAL) included,
 * because a value that spans two pages of a file is not in one piece there.
 *
 * @param folder in which each n8n, stopped, has a data folder
 * @param further keys to search for besides
 */
export function searchLeftBehind(folder: string, further: string[] = []): Searched {
	const dataFolders = readdirSync(folder).map((name) => join(folder, name));
	const keys = [...new Set([...dataFolders.flatMap(storedKeys), ...further])];
	const forms = keys.flatMap((key) => formsOf(key).map((form) => ({ key, form })));
	const searched: Searched = {
		...{ n8ns: dataFolders.length, files: 0, bytes: 0, executions: 0 },
		...{ keys: keys.length, found: new Map() },
	};
	const look = (place: string, value: string | Uint8Array) => {
		const bytes = Buffer.from(value);
		for (const { key, form } of forms) {
			if (!bytes.includes(form)) continue;
			const places = searched.found.get(key) ?? new Set();
			searched.found.set(key, places.add(relative(folder, place)));
		}
	};
	for (const file of dataFolders.flatMap(filesIn)) {
		const content = readFileSync(file);
		searched.files++;
		searched.bytes += content.length;
		look(file, content);
	}
	for (const dataFolder of dataFolders) {
		for (const { table, column, value } of storedValues(dataFolder)) {
			const place = `${databaseOf(dataFolder)}, ${table}.${column}`;
			look(place, value);
			if (table !== 'execution_data' || column !== 'data') continue;
			searched.executions++;
			look(place, decoded(String(value)));
		}
	}
	return searched;
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
