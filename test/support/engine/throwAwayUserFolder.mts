import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Imported before n8n-core, which writes its settings into this folder. */
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'crm-workspace-'));
