import {
	createRunExecutionData,
	type INodeExecutionData,
	type IRun,
	type IRunExecutionData,
} from 'n8n-workflow';
import { skip } from '../harness/clock.mts';
import { execute, throughDatabase, type StoredWorkflow } from '../../support/engine/execution.mts';
import { credential } from '../harness/node.mts';
import { optionValues, people, type Edit, type History, type Row, type Try } from './history.mts';
import { nodeTypes, type Attempt, type Given } from './nodes.mts';
import type { DisturbedService } from './service.mts';
import { mainWorkflow, subWorkflow, type Shaping } from './workflow.mts';

/** A row as it is upstream. */
interface LiveRow extends Row {
	id: string;
}

/** What n8n's database holds of an execution. */
interface StoredExecution {
	workflow: StoredWorkflow;
	data: IRunExecutionData;
}

let executions = 0;

/** An execution and its retries, with all that happens around them. */
export class Life {
	/** All runs of send nodes, as far as n8n still knows of them: what a killed execution did is lost. */
	attempts: Attempt[] = [];
	/** Called with every run of the send node. @returns what to call at its end */
	onBegin: (attempt: Attempt) => () => void = () => () => {};
	/** How often something was lost of what executions did: n8n was killed, or an older one is retried. */
	losses = 0;
	/** Whether anything went wrong so far: a node, a request, or an execution. */
	isTroubled = false;
	isKilled = false;
	isGreen = false;

	readonly #history: History;
	readonly #service: DisturbedService;
	readonly #shaping: Shaping;
	readonly settings: History['settings'];
	/** Those upstream, and all that executions may still hold. */
	readonly #rows: LiveRow[];
	readonly #known = new Map<string, LiveRow>();
	#last: StoredExecution | undefined;
	/** The first execution, and how many attempts there were at its end. */
	#original?: { execution: StoredExecution; attempts: number };
	#try!: Try;
	#passes = 0;
	readonly #running = new Set<() => void>();

	constructor(history: History, service: DisturbedService) {
		this.#history = history;
		this.#service = service;
		this.settings = history.settings;
		const { options } = this.settings;
		this.#shaping = { name: 'Send', renewals: 0, corrections: {}, options };
		this.#rows = history.rows.map((row) => this.#liveRow(row));
	}

	/** Runs the first execution, or retries the last one. */
	async go(next: Try): Promise<void> {
		if (this.#last) for (const edit of next.edits) this.#apply(edit);
		if (this.#original && next.isOfFirst) {
			this.#last = throughDatabase(this.#original.execution);
			this.#lose(this.#original.attempts);
		}
		this.#try = next;
		this.#passes = 0;
		this.isKilled = false;
		this.#service.disturb(next, () => {
			this.isKilled = true;
			for (const cancel of this.#running) cancel();
		});
		// No one retries an execution in the moment in which it has failed.
		skip(next.isLate ? 25 * 60 * 60_000 : 60_000);
		if (next.isLate) this.#service.messages.forget();
		await this.#run(this.#last ? this.#retried(this.#last, next.workflow) : this.#first());
	}

	#liveRow(row: Row): LiveRow {
		const live = { ...row, id: `r${this.#known.size + 1}` };
		this.#known.set(live.id, live);
		return live;
	}

	#first() {
		const workflow = mainWorkflow(this.#history, this.#shaping);
		const data = dataOf(workflow, [{ json: {} }]);
		// Established before n8n stores the execution, so that a crash does not lose it.
		data.executionData!.runtimeData = {
			...{ version: 1, establishedAt: Date.now(), source: 'webhook' },
			triggerNode: { name: 'Start', type: 'start' },
		};
		return { workflow, data };
	}

	/** What n8n's 'Retry' makes of a failed execution. */
	#retried({ workflow, data }: StoredExecution, which: Try['workflow']) {
		const { lastNodeExecuted, runData } = data.resultData;
		if (lastNodeExecuted) {
			delete data.resultData.error;
			const runs = runData[lastNodeExecuted];
			if (runs?.at(-1)?.error !== undefined) runs.pop();
		}
		const current = mainWorkflow(this.#history, this.#shaping);
		const stack = data.executionData!.nodeExecutionStack;
		const nodes = new Map(current.nodes.map((node) => [node.name, node]));
		// n8n refuses the current workflow if a node that failed has another name there.
		const isRefused = stack.some(({ node }) => !nodes.has(node.name));
		if (which === 'original' || isRefused) return { workflow: throughDatabase(workflow), data };
		for (const entry of stack) entry.node = nodes.get(entry.node.name)!;
		return { workflow: current, data };
	}

	async #run({ workflow, data }: StoredExecution): Promise<void> {
		const stored = throughDatabase(data);
		const before = this.attempts.length;
		const run = await this.#execute(this.#last ? 'retry' : 'webhook', workflow, data);
		this.isGreen = run.status === 'success' && !this.isKilled;
		this.isTroubled ||= !this.isGreen;
		const left = this.isKilled ? stored : throughDatabase(run.data);
		this.#last = { workflow, data: left };
		if (this.isKilled) this.#lose(before);
		const execution = throughDatabase(this.#last);
		this.#original ??= { execution, attempts: this.attempts.length };
	}

	#lose(left: number): void {
		this.losses++;
		this.attempts = this.attempts.slice(0, left);
	}

	async #execute(
		mode: 'webhook' | 'retry' | 'integrated',
		workflow: StoredWorkflow,
		data: IRunExecutionData,
	): Promise<IRun> {
		const { done, cancel } = execute({
			...{ id: String(++executions), mode, workflow, data, typeOf: nodeTypes(this) },
			credential: () => ({ ...credential, apiKey: 'sk_test_1' }),
		});
		this.#running.add(cancel);
		return await done.finally(() => this.#running.delete(cancel));
	}

	/** The rows as they are upstream now. */
	rows(): Given[] {
		return this.#rows.map(givenOf);
	}

	/** Whether the other node, or the agent after its calls, fails in this pass. */
	failsAfter(): boolean {
		const fails = this.#passes++ === this.#try.failsAfter;
		this.isTroubled ||= fails;
		return fails;
	}

	/** A run of the send node begins. @returns what asks the service, and what to call at its end */
	begin(attempt: Attempt) {
		this.attempts.push(attempt);
		return { request: this.#service.connect(), end: this.onBegin(attempt) };
	}

	/** What an agent asks for on account of a row. */
	callsFor(id: string): Given[] {
		const row = this.#known.get(id)!;
		const more = row.more.map((one, index) => ({ ...row, ...one, id: `${id}.${index}` }));
		return [row, ...more].map(givenOf);
	}

	async callSubWorkflow(items: INodeExecutionData[], executionId: string): Promise<void> {
		const workflow = subWorkflow(this.#history, this.#shaping);
		const data = dataOf(workflow, throughDatabase(items));
		data.parentExecution = { executionId, workflowId: 'main' };
		const run = await this.#execute('integrated', workflow, data);
		const { error } = run.data.resultData;
		if (error) throw Object.assign(new Error(error.message), error);
		if (this.isKilled) throw new Error('n8n was killed');
	}

	#apply(edit: Edit): void {
		const { corrections, options } = this.#shaping;
		const rows = this.#rows;
		if (edit.kind === 'rename') this.#shaping.name += '!';
		if (edit.kind === 'credential') this.#shaping.renewals++;
		if (edit.kind === 'reorder') rows.push(...rows.splice(0, edit.by % rows.length));
		if (edit.kind === 'insert') rows.splice(edit.at, 0, this.#liveRow(edit.row));
		if (edit.kind === 'remove' && rows.length > 1) rows.splice(edit.at % rows.length, 1);
		if (edit.kind === 'correct') {
			const { id } = rows[edit.row % rows.length];
			const { words = 'w' } = corrections[id] ?? {};
			// Not in the words of another row to that recipient, which may have been sent in older ones.
			if (edit.to === undefined) corrections[id] = { ...corrections[id], words: `${words}x` };
			else corrections[id] = { to: people[edit.to], words: `${words}t${id}` };
		}
		if (edit.kind === 'option') {
			const other = optionValues[edit.option].find((value) => value !== options[edit.option]);
			this.#shaping.options = { ...options, [edit.option]: other };
		}
	}
}

function givenOf({ id, to, content }: LiveRow): Given {
	return { row: id, to: people[to], content: `c${content}`, words: 'w' };
}

/** What n8n begins a workflow with. */
function dataOf({ nodes }: StoredWorkflow, items: INodeExecutionData[]): IRunExecutionData {
	const nodeExecutionStack = [{ node: nodes[0], data: { main: [items] }, source: null }];
	return createRunExecutionData({ executionData: { nodeExecutionStack } });
}
