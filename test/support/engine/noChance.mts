import { beforeEach, expect, jest } from '@jest/globals';

/** Files in which a pause has to last: something happens in it. */
const needPauses = /\/transport\.test\.mts$/;

/**
 * The pause before another try is as short as it can be: how long it is, is tested with a clock. A
 * test that wants to wait says so, and what has to be unique does not come from here.
 */
beforeEach(() => {
	const isPinned = !needPauses.test(expect.getState().testPath ?? '');
	if (isPinned) jest.spyOn(Math, 'random').mockReturnValue(0);
});
