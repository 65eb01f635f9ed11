import { crmNode, node } from '../../test/support/n8n/productionWorkflow.mts';
import type { Contestant, Row } from '../case.mts';
import { sendWithHttpRequest } from '../httpRequest.mts';
import { type InspectedN8n, startInspected } from '../started/inspectedN8n.mts';
import { activate, resultOf, runToEnd, type SharedService, serviceFor } from '../started/run.mts';
import { startService } from '../started/service.mts';

/** Without batches, HTTP Request would open all connections at once. */
const batch = { batchSize: 20, batchInterval: 1 };

/**
 * CPU time of n8n's whole process per message, including the storage of the execution. The service
 * responds at once. Both nodes make 20 requests at a time, and have the key in a credential.
 */
export async function computing(isQuick: boolean): Promise<Row[]> {
	const count = isQuick ? 1_000 : 10_000;
	const service = await startService(0, 0);
	const n8n = await startInspected();
	try {
		const shared = await serviceFor(n8n.n8n, service.baseUrl);
		const ours = await measure(n8n, count, sendWith('ours', shared));
		const other = await measure(n8n, count, sendWith('other', shared));
		const figure = { ours, other, unit: 'ms', atMost: other };
		return [{ name: 'CPU time per message', figures: [figure] }];
	} finally {
		await n8n.stop();
		await service.stop();
	}
}

/** CPU time per message, in ms, in the second run: the first one compiles. */
async function measure(
	{ n8n, usage }: InspectedN8n,
	count: number,
	send: ReturnType<typeof sendWith>,
): Promise<number> {
	const jsCode = `return Array.from({ length: ${count} }, (_, index) => ({
	to: 'person' + index + '@example.com',
}));`;
	const rows = node('Rows', 'n8n-nodes-base.code', 2, { jsCode });
	const workflow = await activate(n8n, [rows, send]);
	await runToEnd(n8n, workflow);
	const before = await usage();
	const id = await runToEnd(n8n, workflow);
	const after = await usage();
	const { items } = await resultOf(n8n, id, [send.name]);
	if (items.length !== count) throw new Error(`${items.length} of ${count} items`);
	return (after.cpu - before.cpu) / count;
}

function sendWith(who: Contestant, service: SharedService) {
	if (who === 'other') return sendWithHttpRequest(service, batch);
	return crmNode('CRM', service.credential, {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.to }}',
		templateSlug: 'welcome',
		variables: { variable: [{ name: 'firstName', value: 'Ada' }] },
		simplify: false,
		options: { concurrency: batch.batchSize },
	});
}
