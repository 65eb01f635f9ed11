/** Imported before n8n-core, which logs every error of every execution: here they are the rule. */
process.env.N8N_LOG_LEVEL ??= 'silent';
