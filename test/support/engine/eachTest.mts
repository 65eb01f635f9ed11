import { beforeEach, jest } from '@jest/globals';

/**
 * The pause before another try is as short as it can be: how long it is, is tested with a clock. A
 * test that wants to wait says so, and what has to be unique does not come from here.
 */
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

const now = performance.now.bind(performance);
let later = 0;

/** Each test begins hours after the one before, so nothing of that is remembered as recent. */
beforeEach(() => {
	later += 3_600_000;
	performance.now = () => now() + later;
});
