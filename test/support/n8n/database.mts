import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Where an n8n instance with this data folder has its database. */
export function databaseOf(dataFolder: string): string {
	return join(dataFolder, '.n8n/database.sqlite');
}

/** What an n8n instance that is running has stored of an execution, as it is in its database. */
export function storedExecution(dataFolder: string, id: string): string {
	return inDatabase(dataFolder, (database) => {
		const query = database.prepare('SELECT data FROM execution_data WHERE executionId = ?');
		return String(query.get(id)!.data);
	});
}

/**
 * Gives a workflow other nodes past what n8n checks when it saves: as an older n8n, or one without
 * the package, has saved it.
 */
export function saveNodes(dataFolder: string, id: string, nodes: object[]): void {
	inDatabase(dataFolder, (database) => {
		database
			.prepare('UPDATE workflow_entity SET nodes = ? WHERE id = ?')
			.run(JSON.stringify(nodes), id);
	});
}

function inDatabase<Result>(dataFolder: string, work: (database: DatabaseSync) => Result): Result {
	const database = new DatabaseSync(databaseOf(dataFolder), { timeout: 10_000 });
	try {
		return work(database);
	} finally {
		database.close();
	}
}
