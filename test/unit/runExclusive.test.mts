import { expect, test } from '@jest/globals';
import { runExclusive } from '../../nodes/CrmWorkspace/common/tasks';

test('works with the same name are done one after another, others in the meantime', async () => {
	const log: string[] = [];
	const work = (name: string) => async () => {
		log.push(`${name} begins`);
		await new Promise(setImmediate);
		log.push(`${name} ends`);
		if (name === 'first') throw new Error('which keeps none from beginning');
	};
	const owner = {};
	await Promise.allSettled([
		runExclusive(owner, 'a', work('first')),
		runExclusive(owner, 'a', work('second')),
		runExclusive(owner, 'b', work('other')),
	]);
	expect(log.filter((entry) => !entry.startsWith('other'))).toEqual(
		['first', 'second'].flatMap((name) => [`${name} begins`, `${name} ends`]),
	);
	expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'));
});
