/** Imported before n8n, whose log is kept: all of it, as the key may be in none of it. */
process.env.N8N_LOG_LEVEL = 'debug';

export { forgetLogged, logged } from '../../support/keys/everythingOf.mts';
