import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'flatted';
import { searchLeftBehind } from '../support/keys/leftBehind.mts';

const key = 'sk_test_dkp3Zq9';
const inBase64 = Buffer.from(`Bearer ${key}`).toString('base64');
let folder: string;
let database: DatabaseSync;

/** What an n8n instance leaves behind that was killed: nothing of its database is written back yet. */
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'crm-workspace-search-'));
	mkdirSync(join(folder, 'n8n-1/.n8n'), { recursive: true });
	writeFileSync(join(folder, 'n8n-1/.n8n/config'), '{"encryptionKey":"none"}');
	database = new DatabaseSync(join(folder, 'n8n-1/.n8n/database.sqlite'));
	database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
		CREATE TABLE credentials_entity (type TEXT, data TEXT);
		CREATE TABLE execution_data (executionId INTEGER, data TEXT)`);
});
afterEach(() => {
	database.close();
	rmSync(folder, { recursive: true });
});

function insert(data: string): void {
	database.prepare('INSERT INTO execution_data VALUES (1, ?)').run(data);
}

function placesOf(text: string): string[] {
	return searchLeftBehind(folder, [text]).sort();
}

test('where there is no key, none is found', () => {
	insert(stringify({ text: 'nothing' }));
	writeFileSync(join(folder, 'n8n-1/n8n.log'), 'n8n ready');
	expect(placesOf(key)).toEqual([]);
});

test.each([key, inBase64])('a log that has %s', (text) => {
	writeFileSync(join(folder, 'n8n-1/n8n.log'), `Request failed: ${text}!`);
	expect(placesOf(key)).toEqual(['n8n-1/n8n.log']);
});

test.each([key, inBase64])(
	'an execution that has %s, in a text or as the name of a field',
	(text) => {
		for (const data of [{ error: [{ text: `${text}.` }] }, { [`x${text}`]: true }]) {
			database.exec('DELETE FROM execution_data');
			insert(stringify(data));
			expect(placesOf(key)).toContain('n8n-1/.n8n/database.sqlite, execution_data.data');
		}
	},
);
