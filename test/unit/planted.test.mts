import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { groups, plant } from '../planted/mistakes.mts';

const mistakes = groups.flatMap((group) => group.mistakes);

test.each(mistakes)('the code of the planted mistake $name is there', (mistake) => {
	const text = readFileSync(`nodes/CrmWorkspace/${mistake.file}`, 'utf8');
	expect(plant(text, mistake)).toContain(mistake.mistake);
});

test.each(groups)('the tests that "$promise" names are there', ({ engine, models }) => {
	const files = readdirSync('test', { recursive: true }).map(String);
	const named = [
		...engine.split('|').map((name) => `engine/${name}`),
		...models.map((name) => `models/${name}.test.mts`),
	];
	expect(named.filter((name) => !files.some((file) => file.startsWith(name)))).toEqual([]);
});
