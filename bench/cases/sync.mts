import { crmNode } from '../../test/support/n8n/productionWorkflow.mts';
import type { Row } from '../case.mts';
import { contactsOf, pageSize } from '../contacts.mts';
import { updateWithHttpRequest } from '../httpRequest.mts';
import { play, service } from '../simulated/play.mts';

/**
 * The nightly sync of a table that has all contacts. This node matches by email and skips unchanged
 * contacts. HTTP Request has the ID of each contact, and makes one PUT per row.
 */
export async function sync(isQuick: boolean): Promise<Row[]> {
	const rows = isQuick ? 1_000 : 10_000;
	const few = rows / 50;
	const count = rows.toLocaleString('en');
	const size = `${count} rows in a workspace of ${count} contacts`;
	return [
		await measure(`${size}, ${few} changed (HTTP Request: PUT per row)`, rows, few),
		await measure('no row changed', rows, 0),
		await measure('all rows changed', rows, rows),
	];
}

async function measure(name: string, rows: number, changes: number): Promise<Row> {
	const items = rowsOf(rows, changes);
	const ours = await play({ node: ourNode, items }, changes);
	const fields = ['firstName', 'lastName', 'phone', 'jobTitle', 'tags'];
	const other = await play({ node: updateWithHttpRequest(service, fields), items }, rows);
	// Each page is read once, and each change is written once.
	const atMost = rows / pageSize + changes;
	const time = { ours: ours.seconds, other: other.seconds, unit: 's', atMost: atMost + 60 };
	return {
		name: `Nightly sync: ${name}`,
		figures: [{ ours: ours.requests, other: other.requests, unit: 'requests', atMost }, time],
	};
}

/** A row for each contact. The changes are spread over them. */
function rowsOf(count: number, changes: number) {
	const every = count / changes;
	return contactsOf(count).map((contact, number) => {
		const { id, email, firstName, lastName, phone, tags } = contact;
		const jobTitle = number % every === every - 1 ? 'Promoted' : contact.jobTitle;
		return { id, email, firstName, lastName, phone, jobTitle, tags };
	});
}

const ourNode = crmNode('Sync', service.credential, {
	operation: 'updateContact',
	contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
	fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
	options: { skipUnchanged: true },
});
