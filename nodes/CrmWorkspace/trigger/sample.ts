import { NodeOperationError } from 'n8n-workflow';
import { listWhole } from '../service/crmWorkspace';
import { momentIn } from '../service/moment';
import { dateIn, printOf } from './contacts/contactPrint';
import { pageOf, pagesOf } from './contacts/contactWalk';
import { digest, identityBytes, whatTells, type AnyRecord } from './digest';
import { isOfContact, type EventName, type Sighting } from './events';
import type { Poll, Source } from './session';
import { rosters, type RosterName } from './rosters/rosterWatch';

/** How many events the editor is shown. */
const mostShown = 10;

/** Up to so many pages all contacts are looked at; of more, the first and the last page. */
const mostPages = 10;

/**
 * What the editor's Fetch Test Event shows: up to ten events as the newest records would have made
 * them, of each kind that is wanted in turn. Nothing of it is remembered.
 * @throws NodeOperationError when there is nothing to show
 */
export async function newest({ context, settings, source }: Poll): Promise<Sighting[]> {
	const contacts = settings.events.some(isOfContact) ? await someContacts(source) : [];
	const kinds: Sighting[][] = [];
	for (const event of settings.events) {
		kinds.push(isOfContact(event) ? ofContacts(event, contacts) : await ofRecords(event, source));
	}
	const shown = inTurns(kinds).slice(0, mostShown);
	if (shown.length > 0) return shown;
	throw new NodeOperationError(context.getNode(), 'There is nothing yet that could be shown', {
		description:
			'The service has no records of the chosen events. Once the workflow is active, it starts when there are some.',
	});
}

async function someContacts(source: Source): Promise<AnyRecord[]> {
	const first = await pageOf(source, 1);
	const pages = pagesOf(first) ?? 1;
	const isFew = pages <= mostPages;
	const others = isFew ? Array.from({ length: pages - 1 }, (_, index) => index + 2) : [pages];
	const contacts: AnyRecord[] = [...first.records];
	for (const page of others) contacts.push(...(await pageOf(source, page)).records);
	return contacts;
}

function ofContacts(event: EventName, contacts: AnyRecord[]): Sighting[] {
	const isCreation = event === 'contactCreated';
	const sightings = contacts.map((record) => {
		const { createdAt, updatedAt, latest, version, identity } = printOf(record);
		const parts = isCreation ? [dateIn(createdAt)] : [dateIn(updatedAt), version, 0];
		const date = isCreation ? createdAt : latest;
		return shownAs(event, record, { date, parts: [record.id ?? identity, ...parts] });
	});
	return newestFirst(sightings);
}

async function ofRecords(event: EventName, { connection }: Source): Promise<Sighting[]> {
	const names = Object.keys(rosters) as RosterName[];
	const name = names.find((one) => rosters[one].event === event)!;
	const records = await listWhole(connection, name, Infinity);
	return newestFirst(
		records.map((record) => {
			const identity = digest(whatTells(record), identityBytes);
			const date = momentIn(record.createdAt);
			return shownAs(event, record, { date, parts: [identity, 0] });
		}),
	);
}

function shownAs(
	event: EventName,
	record: AnyRecord,
	{ date, parts }: Pick<Sighting, 'date' | 'parts'>,
): Sighting {
	return { event, record, date, parts, note: () => {} };
}

function newestFirst(sightings: Sighting[]): Sighting[] {
	const moment = ({ date }: Sighting) => (Number.isNaN(date) ? -Infinity : date);
	return sightings.sort((one, other) => Math.sign(moment(other) - moment(one)) || 0);
}

/** One of each, then the second of each, and so on. */
function inTurns<Item>(lists: Item[][]): Item[] {
	const longest = Math.max(0, ...lists.map(({ length }) => length));
	return Array.from({ length: longest }, (_, index) =>
		lists.flatMap((list) => (index < list.length ? [list[index]] : [])),
	).flat();
}
