import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { simplified, simplifiedContactFields } from '../service/records';
import { yieldToEventLoop } from '../transport/eventLoop';
import { RequestFailure } from '../transport/failure';
import { beginAnotherRun, nodeCredential } from '../transport/nodeCredential';
import { toNodeApiError } from '../transport/nodeError';
import { apiKeyOf, Outgoing } from '../transport/outgoing';
import { inTurn, isOfContact, eventKeyOf, type PendingEvent } from './events';
import { newest } from './sample';
import { withinBudget, type Poll } from './session';
import { readSettings, type Settings } from './settings';
import { readable, readState, scopeOf, writeState } from './state';
import { readAll, storedOf, watchesFor, workspaceOf } from './watches';

/** Polls of this process that are under way, by workflow and node. */
const underWay = new Set<string>();

/**
 * One poll: looks for events and returns them as items; null when there are none. What is
 * remembered is written to n8n's static data in one go at the end. So a poll that fails, or in
 * which n8n is killed, has changed nothing.
 * @throws NodeOperationError or NodeApiError when it cannot look
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await runPoll(context, example);
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	// n8n begins the next poll on schedule, even if the one before has not ended.
	if (underWay.has(name)) return null;
	underWay.add(name);
	try {
		return await runPoll(context, newEvents);
	} finally {
		underWay.delete(name);
	}
}

async function runPoll(
	context: IPollFunctions,
	find: (poll: Poll) => Promise<Found>,
): Promise<INodeExecutionData[][] | null> {
	beginAnotherRun(context);
	const outgoing = new Outgoing();
	try {
		outgoing.withhold(await apiKeyOf(context));
		const settings = readSettings(context);
		const { pendingEvents, save } = await withinBudget(context, settings, find);
		const items = await outgoing.items(await itemsOf(context, settings, pendingEvents));
		save?.();
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const isFailure = error instanceof RequestFailure;
		throw outgoing.error(isFailure ? toNodeApiError(context.getNode(), error) : error);
	}
}

/** What a poll has found. */
interface Found {
	pendingEvents: PendingEvent[];
	/** Writes to n8n's static data what is remembered after these events. Absent if nothing is. */
	save?: () => void;
}

/** The example events of a manual execution (Fetch Test Event). */
async function example(poll: Poll): Promise<Found> {
	return { pendingEvents: await newest(poll) };
}

/** The events since the last poll, up to the Limit option. */
async function newEvents({ context, settings, access }: Poll): Promise<Found> {
	const { credential } = await nodeCredential(context);
	const { state, keyDigest, mayBeOtherWorkspace } = readState(context, credential);
	const watches = readable(context, () => watchesFor(settings, state));
	const read = await readAll(Object.values(watches), access);
	const workspace = mayBeOtherWorkspace ? await workspaceOf(read) : 'same';
	if (workspace === 'other') for (const watch of Object.values(watches)) watch.beginAnew();
	const pendingEvents: PendingEvent[] = [];
	for (const watch of read) for (const one of await watch.newEvents()) pendingEvents.push(one);

	const emitted = inTurn(pendingEvents).slice(0, settings.limit);
	for (const { remember } of emitted) {
		remember();
		await yieldToEventLoop();
	}
	watches.contacts?.noteRest(emitted.length < pendingEvents.length);
	const { version, scope } = state;
	// Without any record nobody knows which workspace the new key is for: the question stays open.
	const key = workspace === 'unknown' ? state.key : keyDigest;
	const after = { version, scope, key, ...storedOf(watches) };
	return { pendingEvents: emitted, save: () => writeState(context, after) };
}

async function itemsOf(
	context: IPollFunctions,
	{ simplify }: Settings,
	pendingEvents: PendingEvent[],
): Promise<INodeExecutionData[]> {
	const { credential } = await nodeCredential(context);
	const place = [context.getWorkflow().id ?? '', scopeOf(context, credential)];
	const items: INodeExecutionData[] = [];
	for (const pendingEvent of pendingEvents) {
		const { event, record, changedFields } = pendingEvent;
		const isShort = simplify && isOfContact(event);
		const shown = isShort ? simplified(record, simplifiedContactFields) : record;
		items.push({
			json: {
				event,
				key: eventKeyOf(pendingEvent, place),
				record: shown as IDataObject,
				...(changedFields && { changedFields }),
			},
		});
		await yieldToEventLoop();
	}
	return items;
}
