/**
 * `npm run demo` shows the four example workflows in a real n8n, with real requests to the service on
 * this machine, and stays up to be looked at.
 */
import Table from 'cli-table3';
import { createExampleCredentials } from '../playground/examples.mts';
import { type Outcome, runExamples } from '../playground/runExamples.mts';
import { parseOptions } from './options.mts';
import { introduce, startStage, step } from './stage.mts';

/** What happened at the service, and what did not. */
function print(outcomes: Outcome[]): void {
	const table = new Table({
		head: ['Workflow', 'What came of it', '', ''],
		colWidths: [24, 17, 26, 72],
		wordWrap: true,
		style: { head: [], border: [] },
	});
	for (const { workflow, effects, problem } of outcomes) {
		const rows = problem ? [['FAILED', '', problem]] : effects.map(Object.values<string>);
		const name = { content: workflow, rowSpan: rows.length };
		rows.forEach((row, index) => table.push(index === 0 ? [name, ...row] : row));
	}
	console.log(table.toString());
}

function summary(outcomes: Outcome[]): string {
	const sum = (what: 'messages' | 'contacts') =>
		outcomes.reduce((total, outcome) => total + outcome[what], 0);
	const [workflows, messages, contacts] = [outcomes.length, sum('messages'), sum('contacts')];
	return `demo: ${workflows} workflows, ${messages} messages in the inbox, ${contacts} contacts updated`;
}

const { values: flags } = parseOptions('demo', {
	once: { type: 'boolean', meaning: 'run the examples and end, instead of waiting for Ctrl-C' },
});
try {
	const stage = await startStage();
	const credentials = await createExampleCredentials(stage.n8n, stage.service);
	const outcomes = await step('running the examples', () =>
		runExamples(stage.n8n, stage.sandbox, credentials),
	);
	print(outcomes);
	console.log(summary(outcomes));
	if (flags.once) process.exit(outcomes.some(({ problem }) => problem) ? 1 : 0);
	introduce(stage);
} catch (error) {
	console.error(`\ndemo: ${(error as Error).message}`);
	process.exit(1);
}
