/** The parts of `npm run dev`: the gulpfile has each change of the code built into a running n8n. */
import { join, resolve } from 'node:path';
import { provideExamples } from '../playground/examples.mts';
import { run, shown } from './run.mts';
import { introduce, startStage } from './stage.mts';

/** Of n8n. Linters leave folders of this name alone, and n8n writes its editor's code into it. */
const dataFolder = resolve('.cache/node_modules/dev');

/** The code of the package, where n8n has it. */
export const dist = join(dataFolder, '.n8n/nodes/node_modules/n8n-nodes-crm-workspace/dist');

/**
 * Starts n8n on the data that it had, and the sandbox on new data.
 * @throws an Error if another process has the sandbox's port, such as another `npm run dev`
 */
export async function show(): Promise<void> {
	// Only in this form, the log has the cause of a reload that failed.
	const environment = { N8N_DEV_RELOAD: 'true', N8N_LOG_FORMAT: 'json' };
	const stage = await startStage({ dataFolder, environment });
	await provideExamples(stage.n8n, stage.service);
	introduce(stage);
	console.log(`n8n's data stays in ${dataFolder} until you delete it, the sandbox's doesn't.`);
	console.log(
		"If a change doesn't show, n8n.log there says why: mend it, and perhaps start again.",
	);
}

/** Compiles what changes to where n8n notices it: an open editor then shows it by itself. */
export async function compileOnChange(): Promise<void> {
	await run('tsc', ['--watch', '--preserveWatchOutput', '--outDir', dist], shown);
}
