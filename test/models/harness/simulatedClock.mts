/** As simulatedTime.mts, but with the signals of Node.js: n8n's engine takes no others. */
import { fakeTime } from './clock.mts';

fakeTime();
