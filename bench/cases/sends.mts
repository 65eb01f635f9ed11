import { crmNode } from '../../test/support/n8n/productionWorkflow.mts';
import { allowance, type Row } from '../case.mts';
import { contactsOf } from '../contacts.mts';
import { sendWithHttpRequest } from '../httpRequest.mts';
import { play, service } from '../simulated/play.mts';

/** Messages under the rate limit, while nothing else uses the key. */
export async function sends(isQuick: boolean): Promise<Row[]> {
	const count = isQuick ? 100 : 300;
	const items = contactsOf(count).map(({ email }) => ({ to: email }));
	const node = crmNode('Send', service.credential, {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.to }}',
		templateSlug: 'welcome',
	});
	const ours = await play({ node, items }, count);
	const other = await play({ node: sendWithHttpRequest(service), items }, count);
	const atMost = Math.ceil(count / allowance) * 60;
	const figure = { ours: ours.seconds, other: other.seconds, unit: 's', atMost };
	return [{ name: `${count} messages`, figures: [figure] }];
}
