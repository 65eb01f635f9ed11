import { NodeOperationError, type INode, type IDataObject } from 'n8n-workflow';
import { listContacts, listWhole, maxPageSize } from '../service/crmWorkspace';
import { parseTime } from '../service/serviceTime';
import type { Connection } from '../transport/connection';
import { buildCreatedEvent, buildUpdatedEvent, digestContact, toSeconds } from './contactSnapshot';
import { computeIdentity } from './digest';
import { isOfContact, type EventName, type PendingEvent } from './events';
import { watchedCollections } from './recordWatch';
import type { Settings } from './settings';

/**
 * What the editor's Fetch Test Event shows: for each chosen event, the one that the newest record
 * would make; of contacts, the newest on the first page. None of it is remembered.
 * @throws NodeOperationError if there is nothing to show
 * @throws RequestFailure
 */
export async function fetchTestEvents(
	connection: Connection,
	{ events, search }: Settings,
	node: INode,
): Promise<PendingEvent[]> {
	const shown: PendingEvent[] = [];
	const firstPage = { page: 1, limit: maxPageSize, search };
	const contacts = events.some(isOfContact) ? await listContacts(connection, firstPage) : null;
	for (const event of events) {
		const records = isOfContact(event)
			? contacts!.records
			: await listWhole(connection, watchedCollections[event].collection);
		const date = event === 'contactUpdated' ? 'updatedAt' : 'createdAt';
		const dateOf = (record: IDataObject) => parseTime(record[date]) || 0;
		const [newest] = [...records].sort((one, other) => dateOf(other) - dateOf(one));
		if (newest) shown.push({ ...buildEvent(event, newest), remember: () => {} });
	}
	if (shown.length > 0) return shown;
	throw new NodeOperationError(node, 'There is nothing to show yet', {
		description:
			'The service has no records for the chosen events. Activate the workflow: it starts as soon as there are some.',
	});
}

function buildEvent(event: EventName, record: IDataObject): Omit<PendingEvent, 'remember'> {
	const contact = digestContact(record);
	if (event === 'contactCreated') return buildCreatedEvent(contact);
	if (event === 'contactUpdated') return buildUpdatedEvent(contact, toSeconds(contact.updatedAt));
	return { event, record, date: contact.createdAt, parts: [computeIdentity(record), ''] };
}
