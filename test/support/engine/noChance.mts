import { beforeEach, jest } from '@jest/globals';

/**
 * The pause before another try is as short as it can be: how long it is, is tested with a clock. A
 * test that wants to wait says so, and what has to be unique does not come from here.
 */
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
