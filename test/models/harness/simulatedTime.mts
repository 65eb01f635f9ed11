/** Imported first, so that all code that reads the time at its start reads the simulated one. */
import { fakeTime } from './clock.mts';

// Read by n8n as it is loaded: it logs every error of every execution, and here they are the rule.
process.env.N8N_LOG_LEVEL ??= 'silent';

fakeTime();
