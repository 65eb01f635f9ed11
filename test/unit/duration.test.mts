import { expect, test } from '@jest/globals';
import { formatDuration } from '../../nodes/CrmWorkspace/text/duration';

const second = 1000;

test.each([
	[0, '0 s'],
	[499, '0 s'],
	[1500, '2 s'],
	[60 * second, '1 min'],
	[125 * second, '2 min 5 s'],
	[3600 * second, '1 h'],
	[3661 * second, '1 h 1 min'],
	[365 * 86_400 * second, '365 d'],
	[90_061 * second, '1 d 1 h'],
])('%d ms is %s', (ms, words) => {
	expect(formatDuration(ms)).toBe(words);
});
