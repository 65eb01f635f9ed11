import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import Table from 'cli-table3';
import type { INodeType } from 'n8n-workflow';
import { bigRuns, type Size } from '../test/support/bigRuns.mts';
import { watchEventLoop, type Computed } from '../test/support/eventLoop.mts';
import { thinContext } from '../test/support/thinContext.mts';
import { build } from '../tools/build.mts';

const size: Size = { contacts: 100_000, rows: 20_000 };
const longestBlock = 100;
const otherBuild = '.cache/other-build';

/**
 * How long runs over 100,000 contacts and 20,000 rows keep n8n from doing anything else: the most
 * that they compute between two turns of the event loop. There is nothing of n8n around the node,
 * and requests are answered out of memory, so that all of it is the package's own.
 * @param other the dist folder of another build to compare with
 * @throws an Error when a block is longer than it may be
 */
export async function run(other?: string): Promise<void> {
	await build();
	// A build finds n8n's modules only from inside the project.
	if (other) cpSync(other, otherBuild, { recursive: true });
	const builds = { 'this build': 'dist', ...(other && { 'other build': otherBuild }) };
	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: [
			'100,000 contacts, 20,000 rows',
			...Object.keys(builds).flatMap((name) => [`${name}: longest block`, 'in all']),
		],
	});
	const blocks: number[] = [];
	for (const name of Object.keys(bigRuns)) {
		const measured: Computed[] = [];
		for (const folder of Object.values(builds)) measured.push(await measure(folder, name));
		table.push([name, ...measured.flatMap(({ longest, total }) => [ms(longest), ms(total)])]);
		blocks.push(measured[0].longest);
	}
	console.log(table.toString());
	if (Math.max(...blocks) > longestBlock) throw new Error('The event loop is blocked for too long');
}

async function measure(folder: string, name: string): Promise<Computed> {
	const require = createRequire(import.meta.url);
	const { CrmWorkspace } = require(resolve(folder, 'nodes/CrmWorkspace/CrmWorkspace.node.js'));
	const node = new CrmWorkspace() as INodeType;
	const { context } = thinContext(bigRuns[name](size));
	return await watchEventLoop(async () => await node.execute!.call(context));
}

function ms(value: number): string {
	return `${Math.round(value)} ms`;
}
