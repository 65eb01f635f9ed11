import { styleText } from 'node:util';
import ora from 'ora';
import { span } from './numbers.mts';

/** Shows on stderr what a run does: a spinner in a terminal, else a line for each change. */
export interface Progress {
	/** Shows what is being done; the same again shows nothing new. */
	doing(text: string): void;
	/** Leaves a line that something is done. */
	done(text: string): void;
	/** Leaves a line that something failed. */
	failed(text: string): void;
}

/** Begins to count the time that each line ends with. */
export function showProgress(): Progress {
	const start = Date.now();
	const suffixText = () => `(${span(Date.now() - start)})`;
	// In a terminal that says it is 0 wide, ora clears lines without end.
	const isEnabled = process.stderr.columns === 0 ? false : undefined;
	// Without discarding stdin, Ctrl+C works while a case keeps the event loop busy.
	const spinner = ora({ suffixText, isEnabled, discardStdin: false });
	let last = '';
	return {
		doing(text) {
			// In a terminal `start` only sets the text of a spinner that turns; elsewhere it prints a line.
			if (text !== last) spinner.start(text);
			last = text;
		},
		done: (text) => void spinner.stopAndPersist({ symbol: inColour('green', '✔'), text }),
		failed: (text) => void spinner.stopAndPersist({ symbol: inColour('red', '✖'), text }),
	};
}

/** Unlike ora's own symbols, none is coloured in a file. */
function inColour(colour: 'green' | 'red', symbol: string): string {
	return styleText(colour, symbol, { stream: process.stderr });
}
