import type { IDataObject, INodeExecutionData, IRun, IRunExecutionData } from 'n8n-workflow';
import { skip } from '../harness/clock.mts';
import { execute, instanceOf, throughDatabase, type StoredWorkflow } from '../harness/engine.mts';
import type { Log } from '../harness/log.mts';
import { createRunExecutionData } from '../harness/n8n.mts';
import type { Ask, Attempt } from './attempt.mts';
import {
	optionValues,
	people,
	type Edit,
	type History,
	type Options,
	type Row,
	type Try,
} from './history.mts';
import { nodeTypes, type Scene } from './nodeTypes.mts';
import type { Service } from './service.mts';
import { letters, mainWorkflow, subWorkflow, type Shaping } from './workflow.mts';

/** A row as it is upstream now. */
interface LiveRow {
	id: string;
	to: number;
	content: number;
	/** Another word each time its content is corrected. */
	words: number;
	more: Row['more'];
}

/** What n8n's database holds of an execution. */
export interface StoredExecution {
	id: string;
	workflow: StoredWorkflow;
	data: IRunExecutionData;
	status: 'success' | 'error' | 'crashed';
}

/** An execution and its retries, with all that happens around them. */
export class Life {
	/**
	 * Everything that a send node was given and made of it, in order, as far as n8n still knows of it:
	 * what a killed execution did is lost.
	 */
	attempts: Attempt[] = [];
	/** Told of every run of a send node, when it begins and when it ends. */
	onBegin: (attempt: Attempt) => void = () => {};
	onEnd: (attempt: Attempt) => void = () => {};
	last: StoredExecution | undefined;
	kills = 0;
	/** How often a content or a recipient was changed. */
	changed = 0;
	/** Whether the user ever wanted a message whose original failed not to be sent again. */
	keepsFailed = false;

	readonly #history: History;
	readonly #service: Service;
	readonly #log: Log;
	readonly #typeOf: ReturnType<typeof nodeTypes>;
	readonly #shaping: Shaping;
	#rows: LiveRow[];
	#made = 0;
	#executions = 0;
	#reversed = false;
	#try: Try | undefined;
	#otherTurns = 0;
	#agentTurns = 0;
	#agentBegan = 0;
	readonly #agentWords = new Map<string, number>();
	readonly #running = new Set<{ cancel: () => void }>();
	#killed = false;

	constructor(history: History, service: Service, log: Log) {
		this.#history = history;
		this.#service = service;
		this.#log = log;
		this.#shaping = {
			mark: service.mark,
			names: ['Send', 'Send 2'],
			ids: ['id-1', 'id-2'],
			renewals: 0,
			recipients: {},
			contents: {},
			options: { ...history.settings.options },
		};
		this.keepsFailed = history.settings.options.onOriginalFailed === 'fail';
		this.#rows = history.rows.map((row) => this.#liveRow(row));
		this.#typeOf = nodeTypes(this.#scene());
	}

	/** Ends whatever runs: the history is given up. */
	stop(): void {
		this.#kill();
	}

	get isKilled(): boolean {
		return this.#killed;
	}

	get isGreen(): boolean {
		return this.last?.status === 'success';
	}

	/** Runs the first execution, or retries the last one. */
	async go(next: Try): Promise<void> {
		const { last } = this;
		if (last) for (const edit of next.edits) this.#apply(edit);
		this.#try = next;
		this.#otherTurns = this.#agentTurns = this.#agentBegan = 0;
		this.#killed = false;
		this.#service.disturb(next, () => this.#kill());
		// No one retries an execution in the moment in which it has failed.
		skip(60_000);
		const begun = last ? this.#retried(last, next.retry) : this.#first();
		await this.#run(begun, last ? 'retry' : 'webhook');
		for (const [kind, times] of this.#service.met) this.#log.count(`fault ${kind}`, times);
	}

	/** Every item that a send node has to have come to when the last execution is green. */
	get itemsOfLastExecution(): string[] {
		const { shape, sendNodes } = this.#history;
		const items = this.last?.data.resultData.runData.Rows?.at(-1)?.data?.main[0] ?? [];
		const rows = items.map(({ json }) => String(json.row));
		if (shape === 'agent2' || shape === 'agent3') {
			return rows.flatMap((row) => this.#asksFor(row).map((ask) => `${ask.row} in A`));
		}
		const nodes = letters.slice(0, sendNodes);
		return rows.flatMap((row) => nodes.map((node) => `${row} in ${node}`));
	}

	get errorOfLastExecution(): string {
		const { error, lastNodeExecuted } = this.last?.data.resultData ?? {};
		const description = (error as { description?: string } | undefined)?.description;
		return [`${lastNodeExecuted}: ${error?.message}`, description].filter(Boolean).join(' | ');
	}

	#liveRow(row: Row): LiveRow {
		return { ...row, id: `r${++this.#made}`, words: 0 };
	}

	#first() {
		const workflow = mainWorkflow(this.#history, this.#shaping);
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{ node: workflow.nodes[0], data: { main: [[{ json: {} }]] }, source: null },
				],
				// Established before n8n stores the execution, so that a crash does not lose it.
				runtimeData: {
					version: 1,
					establishedAt: Date.now(),
					source: 'webhook',
					triggerNode: { name: 'Start', type: 'start' },
				},
			},
		});
		if (!this.#history.hasToken) delete data.resumeToken;
		return { workflow, data };
	}

	/** What n8n's 'Retry' makes of a failed execution. */
	#retried(last: StoredExecution, which: Try['retry']) {
		const { data } = last;
		const { lastNodeExecuted, runData } = data.resultData;
		if (lastNodeExecuted) {
			delete data.resultData.error;
			const runs = runData[lastNodeExecuted];
			if (runs?.at(-1)?.error !== undefined) runs.pop();
		}
		const current = mainWorkflow(this.#history, this.#shaping);
		const stack = data.executionData!.nodeExecutionStack;
		const { nodes } = instanceOf(current, this.#typeOf);
		const inCurrent = (name: string) => nodes[name];
		const refused = stack.some(({ node }) => !inCurrent(node.name));
		if (which === 'current' && refused)
			this.#log.count('retry refused: the failed node was renamed');
		if (which === 'original' || refused) {
			this.#log.count('retry original');
			return { workflow: throughDatabase(last.workflow), data };
		}
		this.#log.count('retry current');
		for (const entry of stack) entry.node = inCurrent(entry.node.name);
		return { workflow: current, data };
	}

	async #run(
		{ workflow, data }: { workflow: StoredWorkflow; data: IRunExecutionData },
		mode: 'webhook' | 'retry',
	): Promise<void> {
		const id = this.#nextId();
		const stored = this.#try?.kill && throughDatabase({ data, workflow });
		const before = this.attempts.length;
		const events: Array<[string, string]> = [];
		const run = await this.#execute(id, mode, workflow, data, (event, name) => {
			if (!this.#killed) events.push([event, name]);
		});
		if (this.#killed && stored) {
			this.#log.count(`kill in a ${mode === 'retry' ? 'retry' : 'first run'}`);
			this.kills++;
			this.attempts = this.attempts.slice(0, before);
			if (this.#try?.kill?.logged) recover(stored.data, workflow, events);
			this.last = { id, ...stored, status: 'crashed' };
			this.#log.tell(() => `Execution ${id} (${mode}): killed`);
			return;
		}
		const status = run.status === 'success' ? 'success' : 'error';
		this.last = {
			id,
			workflow: throughDatabase(workflow),
			data: throughDatabase(run.data),
			status,
		};
		this.#log.count(`execution ${status}`);
		const end = status === 'error' ? this.errorOfLastExecution : status;
		this.#log.tell(() => `Execution ${id} (${mode}): ${end}`);
	}

	async #execute(
		id: string,
		mode: 'webhook' | 'retry' | 'integrated',
		workflow: StoredWorkflow,
		data: IRunExecutionData,
		onNode?: (event: 'started' | 'finished', name: string) => void,
	): Promise<IRun> {
		const credential = (id: string | null) => this.#service.credential(id?.startsWith('2') ? 2 : 1);
		const typeOf = this.#typeOf;
		const running = execute({ id, mode, workflow, data, typeOf, credential, onNode });
		this.#running.add(running);
		try {
			return await running.done;
		} finally {
			this.#running.delete(running);
		}
	}

	#nextId(): string {
		return String(++this.#executions);
	}

	#kill(): void {
		this.#killed = true;
		for (const { cancel } of this.#running) cancel();
	}

	#scene(): Scene {
		const life = this;
		return {
			rowsNow: () => life.#rows.map((row) => life.#jsonOf(row)),
			otherFails: () => life.#fails('other failed', life.#otherTurns++ === life.#try?.otherFails),
			agentFails(point) {
				const fails = life.#try?.agentFails;
				if (point === 'before') life.#agentBegan = life.#agentTurns++;
				const isNow = fails?.turn === life.#agentBegan && fails.after === (point === 'after');
				return life.#fails('agent failed', isNow);
			},
			asksFor: (row) => life.#asksFor(row),
			get inParallel() {
				return life.#history.settings.parallel;
			},
			get agentFailsWithTool() {
				return life.#history.settings.agentFailsWithTool;
			},
			leadsBack: (items) => life.#log.count('items led back', items),
			callSubWorkflow: (items, caller) => life.#callSubWorkflow(items, caller),
			begins(attempt) {
				life.attempts.push(attempt);
				life.#log.count('runs of a send node');
				life.onBegin(attempt);
			},
			ends(attempt) {
				life.#tell(attempt);
				life.onEnd(attempt);
			},
		};
	}

	#tell({ node, execution, given, results, error }: Attempt): void {
		const end = this.#killed ? ', killed' : error === undefined ? '' : `, error: ${error}`;
		this.#log.tell(() => `  ${node} in ${execution}${end}`);
		for (const [index, { row, content, to }] of given.entries()) {
			const result = results[index];
			const { _result = 'sent', id = '' } = result && 'json' in result ? result.json : {};
			const end = !result ? 'no result' : 'error' in result ? result.error : `${_result} ${id}`;
			this.#log.tell(() => `    ${row}, ${content} to ${to}: ${end}`);
		}
	}

	#fails(event: string, isNow: boolean): boolean {
		if (isNow) this.#log.count(event);
		return isNow;
	}

	#jsonOf({ id, to, content, words }: LiveRow): IDataObject {
		return { row: id, to: people[to], content: `c${content}`, words: `w${words}` };
	}

	#asksFor(id: string): Ask[] {
		const row = this.#rows.find((row) => row.id === id) ?? this.#gone.get(id)!;
		const asks = [
			{ ...row, id },
			...row.more.map((more, index) => ({ ...row, ...more, id: `${id}.${index + 1}` })),
		];
		const words = this.#agentWords.get(id) ?? 0;
		const jsons = asks.map((ask) => this.#jsonOf({ ...ask, words: ask.words + words }) as Ask);
		return this.#reversed ? jsons.reverse() : jsons;
	}

	/** Rows that are not upstream any more, while executions still hold them. */
	readonly #gone = new Map<string, LiveRow>();

	async #callSubWorkflow(items: INodeExecutionData[], caller: string): Promise<void> {
		this.#log.count('sub-workflow call');
		const workflow = subWorkflow(this.#history, this.#shaping);
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{
						node: workflow.nodes[0],
						data: { main: [throughDatabase(items)] },
						metadata: { parentExecution: { executionId: caller, workflowId: 'main' } },
						source: null,
					},
				],
			},
			parentExecution: { executionId: caller, workflowId: 'main' },
		});
		const run = await this.#execute(this.#nextId(), 'integrated', workflow, data);
		const { error } = run.data.resultData;
		if (error) throw Object.assign(new Error(error.message), error);
		if (this.#killed) throw new Error('n8n was killed');
	}

	#apply(edit: Edit): void {
		const rows = this.#rows;
		const pick = (index: number) => rows[index % rows.length];
		const isAgent = this.#history.shape.startsWith('agent');
		switch (edit.kind) {
			case 'rename':
				this.#shaping.names[edit.node] += '!';
				break;
			case 'recreate':
				this.#shaping.ids[edit.node] += '+';
				break;
			case 'recipient': {
				const row = pick(edit.row);
				this.changed++;
				if (edit.where === 'node' && !isAgent) this.#shaping.recipients[row.id] = people[edit.to];
				else row.to = edit.to;
				break;
			}
			case 'content': {
				const row = pick(edit.row);
				this.changed++;
				if (edit.where === 'node' && !isAgent) {
					this.#shaping.contents[row.id] = `fixed ${(this.#shaping.contents[row.id] ?? '').length}`;
				} else row.words += 10;
				break;
			}
			case 'insert':
				rows.splice(edit.at, 0, this.#liveRow(edit.row));
				break;
			case 'remove': {
				if (rows.length === 1) return;
				const [gone] = rows.splice(edit.at % rows.length, 1);
				this.#gone.set(gone.id, gone);
				break;
			}
			case 'reorder':
				rows.push(...rows.splice(0, edit.by % rows.length));
				break;
			case 'credential':
				this.#shaping.renewals++;
				break;
			case 'option':
				this.#toggle(edit.option);
				break;
			case 'askOrder':
				if (!isAgent) return;
				this.#reversed = !this.#reversed;
				break;
			case 'askWords': {
				if (!isAgent) return;
				const { id } = pick(edit.row);
				this.changed++;
				this.#agentWords.set(id, (this.#agentWords.get(id) ?? 0) + 1);
				break;
			}
		}
		this.#log.count(`edit: ${edit.kind}${'where' in edit ? ` in the ${edit.where}` : ''}`);
	}

	#toggle(option: keyof Options): void {
		const { options } = this.#shaping;
		const other = optionValues[option].find((value) => value !== options[option]);
		Object.assign(options, { [option]: other });
		this.keepsFailed ||= options.onOriginalFailed === 'fail';
	}
}

/** What n8n makes of a crashed execution when its log tells which nodes began and ended. */
function recover(
	data: IRunExecutionData,
	workflow: StoredWorkflow,
	events: Array<[string, string]>,
): void {
	const { resultData } = data;
	const has = (event: string, name: string) => events.some(([e, n]) => e === event && n === name);
	for (const { name } of workflow.nodes) {
		if (!has('started', name) || resultData.runData[name] !== undefined) continue;
		const crashed = { message: 'Execution stopped at this node', name: 'NodeCrashedError' };
		const task = has('finished', name)
			? {
					executionStatus: 'success',
					data: {
						main: [[{ json: { isArtificialRecoveredEventItem: true }, pairedItem: undefined }]],
					},
				}
			: { executionStatus: 'crashed', error: crashed };
		resultData.lastNodeExecuted = name;
		resultData.runData[name] = [
			{ startTime: 0, executionIndex: 0, executionTime: 0, source: [null], ...task } as never,
		];
	}
}
