import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where the pinned n8n is installed. */
export const n8nFolder = join(import.meta.dirname, '../.playground/n8n');

/** Loads a module of the pinned n8n, or one that it depends on. */
export const loadFromN8n = createRequire(join(n8nFolder, 'package.json'));
