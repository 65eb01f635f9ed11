import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Where an n8n instance with this data folder has its database. */
export function databaseOf(dataFolder: string): string {
	return join(dataFolder, '.n8n/database.sqlite');
}

/** Asks the database of an n8n instance that is running. */
export function inDatabase<Result>(
	dataFolder: string,
	work: (database: DatabaseSync) => Result,
): Result {
	const database = new DatabaseSync(databaseOf(dataFolder), { timeout: 10_000 });
	try {
		return work(database);
	} finally {
		database.close();
	}
}

/** What n8n has stored of an execution. */
export function storedExecution(dataFolder: string, id: string): string {
	return inDatabase(dataFolder, (database) => {
		const query = database.prepare('SELECT data FROM execution_data WHERE executionId = ?');
		return String(query.get(id)!.data);
	});
}
