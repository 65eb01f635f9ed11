/**
 * The trigger. Each poll reads what is watched, compares it with what is remembered, and emits what
 * is new: each event once, with a key that stays the same. What is remembered is stored at the end
 * of a poll, so that a poll that fails or is killed changes nothing, and the next one finds the same.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { credentialName, getUrl, readCredential } from '../n8n/credential';
import { toNodeError } from '../n8n/errors';
import { getPollBudget } from '../n8n/execution';
import { createClient } from '../n8n/http';
import { digest } from './events';
import { fetchTestEvents, findNewEvents, toItems, type Found } from './poll';
import { readSettings } from './settings';
import { readState, writeState } from './state';

/** In characters of base64url. */
const digestLength = 16;

/** Polls of this process that are under way, by workflow and node. */
const underWay = new Set<string>();

/**
 * One poll: looks for events and returns them as items; null if there are none.
 * @throws NodeOperationError or NodeApiError if it can't look
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// A node that was copied by hand may have the ID of another one.
	const name = `${context.getWorkflow().id} ${context.getNode().name}`;
	if (context.getMode() === 'manual') return await runPoll(context);
	// n8n begins the next poll on schedule, even if the one before has not ended.
	if (underWay.has(name)) return null;
	underWay.add(name);
	try {
		return await runPoll(context);
	} finally {
		underWay.delete(name);
	}
}

async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const credential = await readCredential(context);
		const settings = readSettings(context);
		const { timeoutMs, patienceMs } = getPollBudget(context);
		const client = createClient(context, credential, timeoutMs, { patienceMs });
		const { id } = context.getNode().credentials?.[credentialName] ?? {};
		const scope = digest([id, getUrl(credential).origin, credential.mode], digestLength);
		const key = digest([context.getInstanceId(), credential.apiKey], digestLength);
		try {
			const isTest = context.getMode() === 'manual';
			const found: Found = isTest
				? { events: await fetchTestEvents(client, settings) }
				: await findNewEvents(client, settings, readState(context, scope, key), key);
			const items = await toItems(found.events, settings, [context.getWorkflow().id ?? '', scope]);
			if (found.state) writeState(context, found.state);
			return items.length > 0 ? [items] : null;
		} finally {
			client.close();
		}
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
