/** Imported first, so that anyone who takes the time from the beginning takes the simulated one. */
import { fakeTime } from './clock.mts';
import { quickenSignals } from './signals.mts';

fakeTime();
quickenSignals();
