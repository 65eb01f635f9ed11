/** As simulatedTime.mts, but with the signals of Node.js: n8n's engine takes no others. */
import { fakeTime } from './clock.mts';

// Read by n8n as it is loaded: it logs every error of every execution, and here they are the rule.
process.env.N8N_LOG_LEVEL ??= 'silent';

fakeTime();
