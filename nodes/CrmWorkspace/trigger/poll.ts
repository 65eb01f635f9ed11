/**
 * The trigger. Each poll reads what is watched, compares it with what is remembered, and puts out
 * what is new, each event once and with a key that stays the same. What is remembered is stored at
 * the end of a poll, so one that fails or is killed has changed nothing, and the next one finds the
 * same.
 */
import { type IDataObject, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import { simplified, simplifiedContactFields } from '../service/records';
import { yieldToEventLoop } from '../transport/clock';
import { type CrmWorkspaceCredential, readCredential } from '../transport/credential';
import { toNodeError } from '../transport/nodeError';
import { TooManyContacts } from './contacts/contactPages';
import { oldestFirst, isOfContact, eventKeyOf, type PendingEvent } from './events';
import { newestEvents } from './sample';
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
	try {
		const credential = await readCredential(context);
		const settings = readSettings(context);
		const { pendingEvents, save } = await withinBudget(context, credential, settings, find);
		const items = await itemsOf(context, credential, settings, pendingEvents);
		save?.();
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw toNodeError(context.getNode(), narrowing(error));
	}
}

/** Of a list that is too long the user can do something about it. */
function narrowing(error: unknown): unknown {
	if (!(error instanceof TooManyContacts)) return error;
	const advice =
		'The trigger remembers each of them. Narrow them down with the option Search: only those that match are read then.';
	return Object.assign(error, { advice });
}

interface Found {
	pendingEvents: PendingEvent[];
	/** Writes to n8n's static data what is remembered after these events. Absent if nothing is. */
	save?: () => void;
}

/** The example events of a manual execution (Fetch Test Event). */
async function example(poll: Poll): Promise<Found> {
	return { pendingEvents: await newestEvents(poll) };
}

/** The events since the last poll, up to the Limit option. */
async function newEvents({ context, credential, settings, access }: Poll): Promise<Found> {
	const { state, keyDigest, mayBeOtherWorkspace } = readState(context, credential);
	const watches = readable(context, () => watchesFor(settings, state));
	const read = await readAll(Object.values(watches), access, mayBeOtherWorkspace);
	const workspace = mayBeOtherWorkspace ? await workspaceOf(read) : 'same';
	if (workspace === 'other') for (const watch of Object.values(watches)) watch.beginAnew();
	const pendingEvents: PendingEvent[] = [];
	for (const watch of read) for (const one of await watch.newEvents()) pendingEvents.push(one);

	const emitted = oldestFirst(pendingEvents).slice(0, settings.limit);
	for (const { remember } of emitted) {
		remember();
		await yieldToEventLoop();
	}
	const { version, scope } = state;
	// Without any record nobody knows which workspace the new key is for: the question stays open.
	const key = workspace === 'unknown' ? state.key : keyDigest;
	const after = { version, scope, key, ...storedOf(watches) };
	return { pendingEvents: emitted, save: () => writeState(context, after) };
}

async function itemsOf(
	context: IPollFunctions,
	credential: CrmWorkspaceCredential,
	{ isSimplified }: Settings,
	pendingEvents: PendingEvent[],
): Promise<INodeExecutionData[]> {
	const origin = [context.getWorkflow().id ?? '', scopeOf(context, credential)];
	const items: INodeExecutionData[] = [];
	for (const pendingEvent of pendingEvents) {
		const { event, record, changedFields } = pendingEvent;
		const isShort = isSimplified && isOfContact(event);
		const shown = isShort ? simplified(record, simplifiedContactFields) : record;
		items.push({
			json: {
				event,
				key: eventKeyOf(pendingEvent, origin),
				record: shown as IDataObject,
				...(changedFields && { changedFields }),
			},
		});
		await yieldToEventLoop();
	}
	return items;
}
