import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'flatted';
import { throwAwayFolder, type ThrowAwayFolder } from '../../playground/atExit.mts';
import { searchLeftBehind } from '../support/keys/leftBehind.mts';

const key = 'sk_test_Zm~?/+9ab>>cd??';
const percent = key.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
const base64 = (before: string) => Buffer.from(`${before}${key}.`).toString('base64');

let leftBehind: ThrowAwayFolder;
let folder: string;
let database: DatabaseSync;

/** What an n8n instance leaves behind that was killed: nothing of its database is written back yet. */
beforeEach(() => {
	leftBehind = throwAwayFolder('crm-workspace-search-');
	folder = join(leftBehind.path, 'n8n/.n8n');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'config'), '{"encryptionKey":"none"}');
	database = new DatabaseSync(join(folder, 'database.sqlite'));
	database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
		CREATE TABLE credentials_entity (type TEXT, data TEXT);
		CREATE TABLE execution_data (data TEXT)`);
});
afterEach(() => {
	database.close();
	leftBehind.remove();
});

/** Where the search finds the key that the tests in n8n instances rely on to find none. */
function placesOf(text: string): string[] {
	writeFileSync(join(folder, 'n8n.log'), `Request failed: ${text}!`);
	const stored = stringify({ error: [text], [text]: true });
	database.prepare('INSERT INTO execution_data VALUES (?)').run(stored);
	return searchLeftBehind(leftBehind.path, [key]);
}

test.each([
	['as it is', key],
	['URL-encoded', encodeURIComponent(key)],
	['URL-encoded in every sign', percent],
	['in base64', base64('')],
	['in base64, one byte later', base64(':')],
	['in base64, two bytes later', base64('::')],
])('a key that n8n has logged or stored %s is found', (_form, text) => {
	const execution = 'n8n/.n8n/database.sqlite, execution_data.data';
	expect(placesOf(text)).toEqual(expect.arrayContaining(['n8n/.n8n/n8n.log', execution]));
});

test("a part of a key isn't taken for it", () => {
	expect(placesOf(key.slice(0, -1))).toEqual([]);
});
