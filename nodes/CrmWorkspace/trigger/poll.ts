import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { simplified, simplifiedContactFields } from '../service/records';
import { yieldToEventLoop } from '../transport/eventLoop';
import { RequestFailure } from '../transport/failure';
import { beginAnotherRun, nodeCredential } from '../transport/nodeCredential';
import { toNodeApiError } from '../transport/nodeError';
import { apiKeyOf, Outgoing } from '../transport/outgoing';
import { isOverTime } from './contacts/contactWalk';
import { ContactWatch } from './contacts/contactWatch';
import { inTurn, keyOf, type EventName, type Sighting } from './events';
import { RosterWatch, rosters, type RosterName } from './rosters/rosterWatch';
import { newest } from './sample';
import { withinBudget, type Poll } from './session';
import { readSettings, type Settings } from './settings';
import { readable, readState, scopeOf, writeState, type StoredState } from './state';

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
async function news(poll: Poll): Promise<Found> {
	const { context, settings } = poll;
	const { credential } = await nodeCredential(context);
	const { state, key, mayBeOthers } = readState(context, credential);
	const watches = readable(context, () => watchesFor(settings, state));
	const sightings = await lookAll(poll, watches, mayBeOthers);
	const told = inTurn(sightings).slice(0, settings.limit);
	for (const { note } of told) {
		note();
		await yieldToEventLoop();
	}
	watches.contacts?.noteRest(told.length < sightings.length);
	const after = stored(isDecided(watches) ? { ...state, key } : state, watches);
	return { sightings: told, leave: () => writeState(context, after) };
}

interface Watches {
	contacts?: ContactWatch;
	rosters: Partial<Record<RosterName, RosterWatch>>;
}

function watchesFor({ events, search }: Settings, state: StoredState): Watches {
	const names = Object.keys(rosters) as RosterName[];
	const wanted = names.filter((name) => events.includes(rosters[name].event));
	const ofContacts = events.filter((event) => event.startsWith('contact'));
	return {
		contacts:
			ofContacts.length > 0 ? new ContactWatch(ofContacts, search, state.contacts) : undefined,
		rosters: Object.fromEntries(wanted.map((name) => [name, new RosterWatch(name, state[name])])),
	};
}

/** Where the time does not suffice for all, the rest has its turn with the next poll. */
async function lookAll(
	{ connection, budget, settings: { search } }: Poll,
	{ contacts, rosters }: Watches,
	mayBeOthers: boolean,
): Promise<Sighting[]> {
	const source = { connection, budget, search };
	const looks = [
		...Object.values(rosters).map((one) => async () => await one.look(connection, mayBeOthers)),
		...(contacts ? [async () => await contacts.look(source, mayBeOthers)] : []),
	];
	const sightings: Sighting[] = [];
	for (const [index, look] of looks.entries()) {
		const found = await look().catch((error: unknown) => {
			if (index === 0 || !isOverTime(error)) throw error;
			return [];
		});
		for (const one of found) sightings.push(one);
	}
	return sightings;
}

/** Whether it is known of all records whose they are. */
function isDecided({ contacts, rosters }: Watches): boolean {
	return [contacts, ...Object.values(rosters)].every((watch) => watch?.isDecided ?? true);
}

function stored({ version, scope, key }: StoredState, { contacts, rosters }: Watches): StoredState {
	const state: StoredState = { version, scope, key };
	if (contacts) state.contacts = contacts.stored();
	for (const [name, roster] of Object.entries(rosters)) state[name as RosterName] = roster.stored();
	return state;
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

function isOfContact(event: EventName): boolean {
	return event === 'contactCreated' || event === 'contactUpdated';
}
