import type { Workflow } from '../playground/client.mts';
import { node } from '../test/support/n8n/productionWorkflow.mts';

type Node = Workflow['nodes'][number];

/** Where the service is, and the ID of n8n's Header Auth credential with the key for it. */
export interface Service {
	baseUrl: string;
	headerAuth: string;
}

/** How n8n's HTTP Request node spaces its requests: so many at once, and ms until the next ones. */
export interface Batch {
	batchSize: number;
	batchInterval: number;
}

/**
 * n8n's HTTP Request node in its newest version, set as well as it can be for what this node does.
 */
function httpRequest(
	name: string,
	{ baseUrl, headerAuth }: Service,
	{ path, ...parameters }: { path: string; [parameter: string]: unknown },
): Node {
	const [mark, address] = path.startsWith('=') ? ['=', path.slice(1)] : ['', path];
	const given = {
		url: `${mark}${baseUrl}${address}`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		...parameters,
	};
	return node(name, 'n8n-nodes-base.httpRequest', 4.5, given, {
		credentials: { httpHeaderAuth: { id: headerAuth, name: 'any' } },
	});
}

/** All contacts, one item each, by the pagination that n8n's documentation shows for page numbers. */
export function listWithHttpRequest(service: Service): Node[] {
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression:
			'={{ $response.body.meta.pagination.page >= $response.body.meta.pagination.totalPages }}',
	};
	return [
		httpRequest('Pages', service, {
			path: '/contacts',
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'limit', value: '100' }] },
			options: { pagination: { pagination } },
		}),
		node('Contacts', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'data', options: {} }),
	];
}

/** A message for each item, to its `to`, under a key that its retries repeat. */
export function sendWithHttpRequest(service: Service, batch?: Batch): Node {
	return httpRequest('Other', service, {
		path: '/transactional/send',
		...json('POST', {
			to: '$json.to',
			templateSlug: "'welcome'",
			variables: "{ firstName: 'Ada' }",
			idempotencyKey: "$execution.id + '-' + $itemIndex",
		}),
		options: batched(batch),
	});
}

/** An update of the contact with each item's `id`, which sets these fields to what the item has. */
export function updateWithHttpRequest(service: Service, fields: string[], batch?: Batch): Node {
	return httpRequest('Other', service, {
		path: '=/contacts/{{ $json.id }}',
		...json('PUT', Object.fromEntries(fields.map((field) => [field, `$json.${field}`]))),
		options: batched(batch),
	});
}

/** @param fields the expression for each field of the body */
function json(method: string, fields: Record<string, string>): object {
	const entries = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
	return {
		method,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ ({ ${entries.join(', ')} }) }}`,
	};
}

function batched(batch?: Batch): object {
	return batch ? { batching: { batch } } : {};
}
