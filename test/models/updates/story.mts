import { firstValues, rowsOf, type Execution, type History } from './history.mts';

/** Describes a history as a short numbered story. */
export function storyOf(history: History): string {
	const { variants, latencies, executions, faults, failingReads: reads, edits, people } = history;
	const { empties, ...others } = variants;
	const read = Object.entries(others).map(([name, value]) => `${name}=${String(value)}`);
	const first = people.map(
		(_, index) => `c${index + 1} ${JSON.stringify(firstValues(history, index))}`,
	);
	const chapters = [
		`Contacts:\n   ${first.join('\n   ')}`,
		`A PUT empties ${empties.join(', ') || 'nothing'} where left out; ${read.join('; ')}.`,
		`Latencies of ${latencies.join(', ')} ms.`,
		...executions.map((one) => executed(history, one)),
		history.isSideBySide && executions.length > 1 && 'All of them side by side.',
		...faults.map((one) => `PUTs ${range(one)} to c${one.contact + 1}: ${one.kind}.`),
		reads && `GETs ${range(reads)} fail.`,
		...edits.map(
			({ at, contact, field, empties }) =>
				`Request ${at + 1} finds ${field} of c${contact + 1} ${empties ? 'emptied' : 'changed'}.`,
		),
	].filter(Boolean);
	return chapters.map((text, index) => `${index + 1}. ${String(text)}`).join('\n');
}

const range = ({ from, times }: { from: number; times: number }) =>
	`${from + 1} to ${from + times}`;

function executed(history: History, execution: Execution): string {
	const { drafts: _, ...set } = execution;
	const settings = Object.entries(set).map(([name, value]) => `${name} ${value}`);
	const rows = rowsOf(history, execution).map(({ name, by, who, given }) => {
		const contact = typeof who === 'number' ? `c${who + 1}` : who;
		return `\n   ${name} by ${by} ${contact}: ${JSON.stringify(given)}`;
	});
	return `Execution: ${settings.join(', ')}.${rows.join('')}`;
}
