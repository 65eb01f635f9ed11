/** What n8n's HTTP Request node, in its newest version, is set to for the same work as this node. */
import type { Workflow } from '../playground/client.mts';
import { node } from '../test/support/n8n/productionWorkflow.mts';
import { allowance } from './case.mts';

type Node = Workflow['nodes'][number];

/** Where the service is, and the ID of n8n's Header Auth credential with the key for it. */
export interface Service {
	baseUrl: string;
	headerAuth: string;
}

/** A minute's requests at once, and the next ones when that minute is over. */
const batching = { batch: { batchSize: allowance, batchInterval: 61_000 } };

/** All contacts, one item each, by the pagination that n8n's documentation shows for page numbers. */
export function listWithHttpRequest({ baseUrl, headerAuth }: Service): Node[] {
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression:
			'={{ $response.body.meta.pagination.page >= $response.body.meta.pagination.totalPages }}',
	};
	const pages = httpRequest(headerAuth, {
		url: `${baseUrl}/contacts`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: '100' }] },
		options: { pagination: { pagination } },
	});
	const splitOut = { fieldToSplitOut: 'data', options: {} };
	return [pages, node('Contacts', 'n8n-nodes-base.splitOut', 1, splitOut)];
}

/** A message for each item, to its `to`, under a key that its retries repeat. */
export function sendWithHttpRequest({ baseUrl, headerAuth }: Service): Node {
	const key = "$execution.id + '-' + $itemIndex";
	return httpRequest(headerAuth, {
		method: 'POST',
		url: `${baseUrl}/transactional/send`,
		...jsonBody(`to: $json.to, templateSlug: 'welcome', idempotencyKey: ${key}`),
		options: { batching },
	});
}

/** An update of the contact with each item's `id`, which sets these fields to what the item has. */
export function updateWithHttpRequest({ baseUrl, headerAuth }: Service, fields: string[]): Node {
	return httpRequest(headerAuth, {
		method: 'PUT',
		url: `=${baseUrl}/contacts/{{ $json.id }}`,
		...jsonBody(fields.map((field) => `${field}: $json.${field}`).join(', ')),
		options: { batching },
	});
}

function httpRequest(headerAuth: string, parameters: object): Node {
	const authentication = {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
	};
	const settings = { credentials: { httpHeaderAuth: { id: headerAuth, name: 'any' } } };
	const all = { ...authentication, ...parameters };
	return node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, all, settings);
}

/** @param fields of an object, as JavaScript */
function jsonBody(fields: string): object {
	return { sendBody: true, specifyBody: 'json', jsonBody: `={{ ({ ${fields} }) }}` };
}
