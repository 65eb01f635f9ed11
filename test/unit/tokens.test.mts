import { expect, test } from '@jest/globals';
import { missingTokens } from '../../nodes/CrmWorkspace/service/tokens';

test.each<[string, Record<string, unknown>, string[]]>([
	['<p>No token</p>', {}, []],
	['<p>{{firstName}}</p>', { firstName: 'Ada' }, []],
	['<p>{{ firstName }}</p>', { firstName: 'Ada' }, []],
	['<p>{{firstName}}</p>', {}, ['firstName']],
	['<p>{{firstName|there}}</p>', {}, []],
	['<p>{{firstName|}}</p>', {}, []],
	['{{b}} {{a}} {{b}}', {}, ['b', 'a']],
	['{{a}}{{b|x}}{{c}}', { a: 0 }, ['c']],
	['{{a}}', { a: null }, ['a']],
	['{{a}}', { a: undefined }, ['a']],
	['{{a}}', { a: '' }, []],
	['{{constructor}}', {}, ['constructor']],
	['{ {a} } {a} }} {{', {}, []],
])('%s with %j misses %j', (html, variables, missing) => {
	expect(missingTokens(html, variables)).toEqual(missing);
});
