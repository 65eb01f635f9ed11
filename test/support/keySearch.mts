import { inspect } from 'node:util';
import { jest } from '@jest/globals';
import { stringify } from 'flatted';
import type { NodeResult } from './engine.mts';

/** Keeps what is logged from the terminal; gives all of it so far. */
export function captureLog(): () => string {
	const lines: string[] = [];
	const keep = (...parts: unknown[]) => void lines.push(parts.map((part) => inspect(part)).join());
	for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
		jest.spyOn(console, method).mockImplementation(keep);
	}
	return () => lines.join('\n');
}

/** Everything that n8n has of a run, down to hidden properties of the error, as one text. */
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
