import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { crmNode, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';
import { errorOf } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let service: RawServer;
let credential: string;

beforeAll(async () => {
	service = await startRawServer((socket) => socket.end(httpAnswer('{"data":{"id":"1"}}')));
	const { baseUrl } = service;
	const data = { baseUrl, apiKey: 'sk_test_names', requestsPerMinute: 6000 };
	credential = await createCredential(n8n, data, 'Names');
});
afterAll(async () => await service.stop());
beforeEach(() => void service.requests.splice(0));

/** Runs a node that sends a template, in a workflow that a webhook begins with this JSON. */
async function sendFrom(json: string, parameters: object) {
	const send = { operation: 'sendTransactionalEmail', to: 'ada@example.com', templateSlug: 'any' };
	const node = crmNode('CRM', credential, { ...send, ...parameters });
	const workflow = await ProductionWorkflow.activate(n8n, [node]);
	const error = errorOf(await workflow.run(JSON.parse(json) as object));
	const sent = service.requests.map((request) => JSON.parse(request.split('\r\n\r\n')[1]));
	return { error, variables: sent.map(({ variables }: any) => JSON.stringify(variables)) };
}

describe.each(['constructor', 'prototype', '__proto__', 'toString'])('%s', (name) => {
	const text = `{"${name}":"a","inner":{"${name}":1},"list":[{"${name}":null}]}`;
	const asJson = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });

	test.each([
		['by name and value', { variables: { variable: [{ name, value: 'a' }] } }, `{"${name}":"a"}`],
		['as JSON', asJson(text), text],
	])('as the name of a variable %s arrives', async (_way, parameters, json) => {
		const { error, variables } = await sendFrom(text, parameters);
		expect(error).toBeUndefined();
		expect(variables).toEqual([json]);
	});
});
