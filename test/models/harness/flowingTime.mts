/** Imported first, so that anyone who takes the time from the beginning takes the one that flows. */
import { letTimeFlow } from './clock.mts';

letTimeFlow();
