/** Imported first, so that whoever takes the time from the beginning takes the one that flows. */
import { letTimeFlow } from './clock.mts';

letTimeFlow();
