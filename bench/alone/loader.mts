import { loadFromN8n } from '../../playground/installed.mts';
import { doWhatIsSent } from '../../test/models/harness/task.mts';

/** What n8n takes to load an installed package: time in ms, memory in MB. */
export interface Loaded {
	time: number;
	memory: number;
}

doWhatIsSent(async ({ folder }: { folder: string }): Promise<Loaded> => {
	const { PackageDirectoryLoader } = loadFromN8n('n8n-core') as typeof import('n8n-core');
	// n8n needs it for itself, long before any package.
	loadFromN8n('n8n-workflow');
	const before = process.memoryUsage().rss;
	const begun = performance.now();
	await new PackageDirectoryLoader(folder).loadAll();
	return {
		time: performance.now() - begun,
		memory: (process.memoryUsage().rss - before) / 1e6,
	};
});
