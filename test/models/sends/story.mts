import {
	optionValues,
	people,
	type Disturbance,
	type Edit,
	type History,
	type Message,
	type Options,
	type Try,
} from './history.mts';

/** Tells a history as a short numbered story. */
export function storyOf(history: History): string {
	const chapters = [workflow(history), ...history.tries.map(chapter)];
	return chapters.map((text, index) => `${index + 1}. ${text}`).join('\n');
}

function workflow({
	shape,
	hasToken,
	order,
	batch,
	sendNodes,
	workspaces,
	sameContent,
	other,
	rows,
	settings,
	variants,
}: History): string {
	const isAgent = shape === 'agent2' || shape === 'agent3';
	const nodes =
		isAgent || sendNodes === 1
			? 'Send'
			: `Send and Send 2 (${sameContent ? 'the same' : 'other'} content${workspaces === 2 ? ', each to a workspace of its own' : ''})`;
	const core = {
		rows: nodes,
		subOnce: `Call (a sub-workflow with ${nodes}${settings.subIds ? '' : ', nodes without ids'}, once for all items)`,
		subEach: `Call (a sub-workflow with ${nodes}${settings.subIds ? '' : ', nodes without ids'}, once for each item)`,
		agent2: `Agent 2.2 (tool: Send${settings.parallel ? ', called side by side' : ''}${settings.agentFailsWithTool ? '; it fails when the tool does' : ''})`,
		agent3: `Agent 3 (tool: Send${settings.parallel ? ', called side by side' : ''})`,
	}[shape];
	const chain = [
		'Rows',
		...(batch ? [`Loop Over Items (${batch} at a time)`] : []),
		...(other === 'before' ? ['Other'] : []),
		core,
		...(other === 'after' ? ['Other'] : []),
	].join(' → ');
	const set = [
		!hasToken && 'n8n gives its executions no token',
		settings.sendTries > 1 && `Send is tried up to ${settings.sendTries} times`,
		isAgent && settings.agentTries > 1 && `Agent is tried up to ${settings.agentTries} times`,
		!isAgent && settings.onError !== 'stopWorkflow' && `On Error: ${settings.onError}`,
		settings.loopedBack && 'what fails is led back to the node, twice at most',
		settings.volatile && 'the content is another one each time',
		...Object.entries(settings.options).map(
			([name, value]) => value !== optionValues[name as keyof Options][0] && `${name}: ${value}`,
		),
		rows.length > 1 && `Concurrency ${settings.concurrency}`,
	].filter(Boolean);
	const read = Object.entries(variants).map(([name, value]) => `${name}=${value}`);
	return [
		`${chain}; execution order ${order}.`,
		`   Rows: ${rows.map((row, index) => `r${index + 1} ${[row, ...(isAgent ? row.more : [])].map(said).join(' and ')}`).join(', ')}.`,
		...(set.length ? [`   ${set.join('; ')}.`] : []),
		...(read.length ? [`   The service: ${read.join(', ')}.`] : []),
	].join('\n');
}

const said = ({ content, to }: Message) => `c${content} to ${people[to]}`;

function chapter(
	{ edits, retry, faults, outcomes, otherFails, agentFails, kill }: Try,
	index: number,
): string {
	const parts = [
		...(index > 0 ? edits.map(edited) : []),
		...outcomes.map(({ to, outcome }) => `from now on, messages to ${people[to]}: ${outcome}`),
		...faults.map(disturbed),
		otherFails !== undefined && `Other fails in its turn ${otherFails + 1}`,
		agentFails &&
			`the agent fails in turn ${agentFails.turn + 1}, ${agentFails.after ? 'after' : 'before'} its tools`,
		kill &&
			`n8n is killed at request ${kill.request + 1}, which the service ${kill.worked ? 'works on' : 'never sees'}${kill.logged ? '; its log tells which nodes had run' : ''}`,
	].filter(Boolean);
	const how = index === 0 ? 'First run' : `Retry with the ${retry} workflow`;
	return `${how}${parts.length ? `: ${parts.join('; ')}` : ''}.`;
}

function disturbed({ kind, from, count, to }: Disturbance): string {
	const which = count === 1 ? `request ${from + 1}` : `${count} requests from ${from + 1} on`;
	return `${which}${to === undefined ? '' : ` (to ${people[to]})`}: ${kind}`;
}

function edited(edit: Edit): string {
	switch (edit.kind) {
		case 'rename':
			return `send node ${edit.node + 1} gets another name`;
		case 'recreate':
			return `send node ${edit.node + 1} is made anew`;
		case 'recipient':
			return `row ${edit.row + 1} goes to ${people[edit.to]} now (corrected in the ${edit.where})`;
		case 'content':
			return `row ${edit.row + 1} has other words now (corrected in the ${edit.where})`;
		case 'insert':
			return `a new row at ${edit.at + 1}: ${said(edit.row)}`;
		case 'remove':
			return `row ${edit.at + 1} is gone`;
		case 'reorder':
			return `the rows begin with the one at ${edit.by + 1} now`;
		case 'credential':
			return 'the credentials are made anew';
		case 'option':
			return `the option ${edit.option} gets its other value`;
		case 'askOrder':
			return 'agents ask in the other order now';
		case 'askWords':
			return `the agent has other words for row ${edit.row + 1} now`;
	}
}
