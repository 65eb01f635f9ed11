import type { NodeExecutionHint } from 'n8n-workflow';
import { plainText } from './plainText';

/** A hint above the output in n8n's editor. */
export function hint(message: string, type: 'info' | 'warning' = 'info'): NodeExecutionHint {
	return { message: plainText(message), type, location: 'outputPane' };
}
