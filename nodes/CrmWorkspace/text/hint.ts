import type { NodeExecutionHint } from 'n8n-workflow';
import { toDisplayText } from './plainText';

/** A hint above the output in n8n's editor. */
export function hint(message: string, type: 'info' | 'warning' = 'info'): NodeExecutionHint {
	return { message: toDisplayText(message), type, location: 'outputPane' };
}
