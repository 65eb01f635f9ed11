import { span } from './numbers.mts';

/** Says on stderr what a run does, with the time since it began. */
export interface Progress {
	/** Says what is being done; the same again is said once. */
	doing(text: string): void;
	done(text: string): void;
	failed(text: string): void;
}

/** Begins to count the time that each line ends with. */
export function showProgress(): Progress {
	const start = Date.now();
	const say = (text: string) => console.error(`${text} (${span(Date.now() - start)})`);
	let last = '';
	return {
		doing(text) {
			if (text !== last) say(`- ${text}`);
			last = text;
		},
		done: (text) => say(`✔ ${text}`),
		failed: (text) => say(`✖ ${text}`),
	};
}
