import { inspect } from 'node:util';
import { stringify } from 'flatted';
import type { NodeResult } from '../engine/runNode.mts';

const lines: string[] = [];

// n8n's logger writes to the streams behind the console, everyone else to the console.
const keep = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = keep;
Object.assign(console, { _stdout: { write: keep }, _stderr: { write: keep } });

/** All that was logged since this module was loaded; none of it reaches the terminal. */
export function logged(): string {
	return lines.join('\n');
}

/** From here on, `logged` begins again. */
export function forgetLogged(): void {
	lines.length = 0;
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
