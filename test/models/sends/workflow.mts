import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { timeoutSeconds } from '../harness/clock.mts';
import type { StoredWorkflow } from '../harness/engine.mts';
import type { History, Options } from './history.mts';

/** What edits may change of the workflow. */
export interface Shaping {
	/** What each content begins with. */
	mark: string;
	/** The names of the send nodes. */
	names: string[];
	/** Their ids. */
	ids: string[];
	/** How often their credentials were made again. */
	renewals: number;
	/** Corrections in the parameters, by row. */
	recipients: Record<string, string>;
	contents: Record<string, string>;
	options: Options;
}

/** The letters by which the log knows the send nodes, whatever they are called. */
export const letters = ['A', 'B'];

const inSub = ({ shape }: History) => shape === 'subOnce' || shape === 'subEach';
const isAgent = ({ shape }: History) => shape === 'agent2' || shape === 'agent3';

/** The workflow that is started, as its user sees it now. */
export function mainWorkflow(history: History, shaping: Shaping): StoredWorkflow {
	const draft = new Draft();
	draft.add('Start', 'start');
	draft.chain('Start', draft.add('Rows', 'rows'));
	if (history.batch > 0) {
		draft.chain('Rows', draft.add('Loop', 'loop', { batchSize: history.batch, options: {} }));
		draft.chain('Loop', draft.add('Done', 'pass'));
	}
	let last = history.batch > 0 ? 'Loop' : 'Rows';
	const then = (name: string) => {
		draft.chain(last, name, last === 'Loop' ? 1 : 0);
		last = name;
	};
	if (history.other === 'before') then(draft.add('Other', 'other'));
	if (isAgent(history)) {
		then(draft.add('Agent', history.shape, {}, retries(history.settings.agentTries)));
		draft.attach(addTool(draft, history, shaping), 'Agent');
	} else if (inSub(history)) {
		then(draft.add('Call', 'call', { each: history.shape === 'subEach' }));
	} else {
		for (const name of addSendNodes(draft, history, shaping, 'Rows')) {
			then(name);
			if (history.settings.loopedBack) leadBack(draft, name);
		}
	}
	if (history.other === 'after') then(draft.add('Other', 'other'));
	if (history.batch > 0) draft.chain(last, 'Loop');
	return draft.finished(idOf('main', shaping), history.order);
}

/** The workflow that is called. */
export function subWorkflow(history: History, shaping: Shaping): StoredWorkflow {
	const draft = new Draft();
	let last = draft.add('Begin', 'start');
	for (const name of addSendNodes(draft, history, shaping, 'Begin')) {
		draft.chain(last, name);
		last = name;
	}
	const { subIds } = history.settings;
	const workflow = draft.finished(idOf(subIds ? 'sub' : 'main', shaping), history.order);
	if (!subIds) for (const node of workflow.nodes) delete (node as Partial<INode>).id;
	return workflow;
}

/**
 * Another one in each history: what n8n had under way when it was killed may reach the service when
 * the next one has begun.
 */
function idOf(name: string, { mark }: Shaping): string {
	return `${name} ${mark}`;
}

/** A chain of send nodes; those after the first take the row from where it was given. */
function addSendNodes(draft: Draft, history: History, shaping: Shaping, origin: string): string[] {
	const { sendTries, onError } = history.settings;
	return letters.slice(0, history.sendNodes).map((letter, index) => {
		const row = index === 0 ? '$json' : `$('${origin}').item.json`;
		const to = `((${JSON.stringify(shaping.recipients)})[${row}.row] ?? ${row}.to)`;
		const words = `((${JSON.stringify(shaping.contents)})[${row}.row] ?? ${row}.words)`;
		const parameters = {
			...sendParameters(history, shaping),
			to: `={{ ${to} }}`,
			subject: `={{ 'News ' + ${words} }}`,
			html: html(history, `${row}.content`, letter),
			...marks(letter, `${row}.row`, contentOf(history, `${row}.content`, letter), to, words),
		};
		const workspace = Math.min(index + 1, history.workspaces);
		const extra = { ...retries(sendTries), onError, ...credential(workspace, shaping) };
		return draft.add(shaping.names[index], 'send', parameters, extra, shaping.ids[index]);
	});
}

/** The way back that docs/send-email.md describes: from the error output to the node, twice at most. */
function leadBack(draft: Draft, name: string): void {
	const back = draft.add(`Back to ${name}`, 'back', { goesBack: '={{ $runIndex < 2 }}' });
	draft.chain(name, back, 1);
	draft.chain(back, name);
}

function addTool(draft: Draft, history: History, shaping: Shaping): string {
	const argument = (name: string) => `$fromAI('${name}', '', 'string')`;
	const content = contentOf(history, argument('content'), 'A');
	const parameters = {
		...sendParameters(history, shaping),
		to: `={{ ${argument('to')} }}`,
		subject: `={{ 'News ' + ${argument('words')} }}`,
		html: html(history, argument('content'), 'A'),
		...marks('A', argument('row'), content, argument('to'), argument('words')),
	};
	const extra = { ...retries(history.settings.sendTries), ...credential(1, shaping) };
	return draft.add(shaping.names[0], 'sendTool', parameters, extra, shaping.ids[0]);
}

function sendParameters({ settings }: History, { options }: Shaping): INodeParameters {
	const { concurrency } = settings;
	return {
		operation: 'sendTransactionalEmail',
		content: 'html',
		// Made from the html otherwise, by a library that takes longer than all the rest.
		additionalFields: { text: 'Text' },
		options: { concurrency, timeout: timeoutSeconds, ...options },
	};
}

const contentOf = ({ sameContent }: History, content: string, letter: string) =>
	`(${content} + ${JSON.stringify(sameContent ? '' : letter)})`;

/** The mark is in the workflow's ID: n8n compiles an expression once that is the same in all histories. */
function html(history: History, content: string, letter: string): string {
	const varying = history.settings.volatile ? ' {{ Math.random() }}' : '';
	const mark = "$workflow.id.split(' ')[1]";
	return `=<p>{{ ${mark} }}{{ ${contentOf(history, content, letter)} }}]]${varying}</p>`;
}

/** What the log is to know of an item: its row, and all that tells its message from others. */
function marks(letter: string, ...known: string[]): INodeParameters {
	return { historyItem: `={{ [${known.join(', ')}].join('|') }}`, historyNode: letter };
}

/** The ID of a credential begins with the number of its workspace. */
function credential(workspace: number, { renewals }: Shaping): Partial<INode> {
	const id = `${workspace}-${renewals}`;
	return { credentials: { crmWorkspaceApi: { id, name: 'CRM Workspace' } } };
}

function retries(tries: number): Partial<INode> {
	return tries > 1 ? { retryOnFail: true, maxTries: tries, waitBetweenTries: 1 } : {};
}

/** A workflow in the making. */
class Draft {
	readonly #nodes: INode[] = [];
	readonly #connections: IConnections = {};

	add(
		name: string,
		type: string,
		parameters: INodeParameters = {},
		extra: Partial<INode> = {},
		id = `id-of-${name}`,
	): string {
		const position: [number, number] = [this.#nodes.length * 200, 0];
		this.#nodes.push({
			id,
			name,
			type,
			typeVersion: type === 'loop' ? 3 : 1,
			position,
			parameters,
			...extra,
		});
		return name;
	}

	chain(from: string, to: string, output = 0): void {
		const { main } = (this.#connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]!.push({ node: to, type: 'main', index: 0 });
	}

	attach(tool: string, agent: string): void {
		this.#connections[tool] = { ai_tool: [[{ node: agent, type: 'ai_tool', index: 0 }]] };
	}

	finished(id: string, order: History['order']): StoredWorkflow {
		return {
			id,
			name: id,
			nodes: this.#nodes,
			connections: this.#connections,
			// Any other zone makes each expression slower.
			settings: { ...(order === 'v1' && { executionOrder: 'v1' }), timezone: 'UTC' },
			active: false,
		};
	}
}
