import { inspect } from 'node:util';
import { stringify } from 'flatted';
import type { NodeResult } from './engine.mts';

const lines: string[] = [];

// n8n's logger binds the console's methods when it is loaded, so this has to be imported first.
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
	console[method] = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
}

/** All that n8n has logged so far; none of it reaches the terminal. */
export function logged(): string {
	return lines.join('\n');
}

/** Everything that n8n has of a run, down to hidden properties of its errors, as one text. */
export function everythingOf({ data, error, outputs, hints }: NodeResult): string {
	const itemErrors = outputs.flat().map((item) => item.error);
	const hidden = inspect([error, itemErrors], {
		depth: Infinity,
		showHidden: true,
		maxStringLength: Infinity,
		maxArrayLength: Infinity,
	});
	return [hidden, stringify(data), JSON.stringify([outputs, hints])].join('\n');
}
