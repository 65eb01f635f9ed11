import type { NodeExecutionHint } from 'n8n-workflow';
import { displayText } from './plainText';

/** A hint above the output in n8n's editor. */
export function hint(message: string, type: 'info' | 'warning' = 'info'): NodeExecutionHint {
	return { message: displayText(message), type, location: 'outputPane' };
}
