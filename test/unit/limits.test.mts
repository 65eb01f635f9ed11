import { expect, test } from '@jest/globals';
import { maxHtmlBytes, maxPageSize } from '../../nodes/CrmWorkspace/service/limits';

// Interface: SEND-11.
test('the html of a send has 256 KB at most', () => {
	expect(maxHtmlBytes).toBe(262_144);
});

// Interface: LIST-10.
test('a page has 100 records at most', () => {
	expect(maxPageSize).toBe(100);
});
