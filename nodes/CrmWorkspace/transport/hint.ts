import type { NodeExecutionHint } from 'n8n-workflow';

/** A hint as n8n's editor shows it above the output. */
export function hint(message: string, type: 'info' | 'warning' = 'info'): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}
