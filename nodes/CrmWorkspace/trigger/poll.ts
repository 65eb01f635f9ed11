import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { simplified, simplifiedContactFields } from '../service/records';
import { yieldToEventLoop } from '../transport/eventLoop';
import { RequestFailure } from '../transport/failure';
import { beginAnotherRun, nodeCredential } from '../transport/nodeCredential';
import { toNodeApiError } from '../transport/nodeError';
import { apiKeyOf, Outgoing } from '../transport/outgoing';
import { inTurn, isOfContact, keyOf, type Sighting } from './events';
import { newest } from './sample';
import { withinBudget, type Poll } from './session';
import { readSettings, type Settings } from './settings';
import { readable, readState, scopeOf, writeState } from './state';
import { readAll, storedOf, watchesFor, whoseAll } from './watches';

/** Workflows of this process that are being polled for, by workflow and node. */
const underWay = new Set<string>();

/**
 * Looks for events and hands them out; null when there are none. What was handed out and what is
 * remembered is left in n8n's static data, in one go at the end: a poll that fails, or that n8n does
 * not survive, has changed nothing.
 * @throws NodeOperationError or NodeApiError when it cannot look
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await handedOut(context, example);
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	// n8n begins the next poll at its time, whether the one before has come to its end or not.
	if (underWay.has(name)) return null;
	underWay.add(name);
	try {
		return await handedOut(context, news);
	} finally {
		underWay.delete(name);
	}
}

async function handedOut(
	context: IPollFunctions,
	find: (poll: Poll) => Promise<Found>,
): Promise<INodeExecutionData[][] | null> {
	beginAnotherRun(context);
	const outgoing = new Outgoing();
	try {
		outgoing.withhold(await apiKeyOf(context));
		const settings = readSettings(context);
		const { sightings, leave } = await withinBudget(context, settings, find);
		const items = await outgoing.items(await itemsOf(context, settings, sightings));
		leave?.();
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const isFailure = error instanceof RequestFailure;
		throw outgoing.error(isFailure ? toNodeApiError(context.getNode(), error) : error);
	}
}

/** What a poll has found. */
interface Found {
	sightings: Sighting[];
	/** Leaves in n8n's static data that these have been told. */
	leave?: () => void;
}

/** What the editor is shown. */
async function example(poll: Poll): Promise<Found> {
	return { sightings: await newest(poll) };
}

/** What is new since the last poll, as many as are wanted. */
async function news({ context, settings, source }: Poll): Promise<Found> {
	const { credential } = await nodeCredential(context);
	const { state, key, mayBeOthers } = readState(context, credential);
	const watches = readable(context, () => watchesFor(settings, state));
	const read = await readAll(Object.values(watches), source);
	const whose = mayBeOthers ? await whoseAll(read) : 'same';
	if (whose === 'others') for (const watch of Object.values(watches)) watch.beginAnew();
	const sightings: Sighting[] = [];
	for (const watch of read) for (const one of await watch.news()) sightings.push(one);

	const told = inTurn(sightings).slice(0, settings.limit);
	for (const { note } of told) {
		note();
		await yieldToEventLoop();
	}
	watches.contacts?.noteRest(told.length < sightings.length);
	const { version, scope } = state;
	// As long as there are no records, it stays open whose the key is.
	const keyNow = whose === 'unknown' ? state.key : key;
	const after = { version, scope, key: keyNow, ...storedOf(watches) };
	return { sightings: told, leave: () => writeState(context, after) };
}

async function itemsOf(
	context: IPollFunctions,
	{ simplify }: Settings,
	sightings: Sighting[],
): Promise<INodeExecutionData[]> {
	const { credential } = await nodeCredential(context);
	const place = [context.getWorkflow().id ?? '', scopeOf(context, credential)];
	const items: INodeExecutionData[] = [];
	for (const sighting of sightings) {
		const { event, record, changedFields } = sighting;
		const isShort = simplify && isOfContact(event);
		const shown = isShort ? simplified(record, simplifiedContactFields) : record;
		items.push({
			json: {
				event,
				key: keyOf(sighting, place),
				record: shown as IDataObject,
				...(changedFields && { changedFields }),
			},
		});
		await yieldToEventLoop();
	}
	return items;
}
