import { expect, test } from '@jest/globals';
import { formatDuration } from '../../nodes/CrmWorkspace/common/text';

const second = 1000;

test.each([
	[0, '0 s'],
	[499, '0 s'],
	[1500, '2 s'],
	[119 * second, '119 s'],
	[125 * second, '2 min'],
	[3661 * second, '61 min'],
	[86_400 * second, '24 h'],
])('%d ms is %s', (ms, words) => {
	expect(formatDuration(ms)).toBe(words);
});
