import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { groups, plant } from '../planted/mistakes.mts';

const mistakes = groups.flatMap((group) => group.mistakes);

test.each(mistakes)('the code of the planted mistake $name is there', (mistake) => {
	const text = readFileSync(`nodes/CrmWorkspace/${mistake.file}`, 'utf8');
	expect(plant(text, mistake)).toContain(mistake.mistake);
});
