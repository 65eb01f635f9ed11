import './harness/simulatedTime.mts';
import { test } from '@jest/globals';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { thinContext } from '../support/engine/bareRun.mts';
import { passUntilDone } from './harness/clock.mts';
import { check } from './harness/model.mts';
import { beginAnew } from './harness/random.mts';
import { helpersThatAsk } from './harness/service.mts';
import { Violation } from './harness/violation.mts';
import { history, type History } from './lists/history.mts';
import { Service } from './lists/service.mts';

const node = new CrmWorkspace();

/** Older than that, a contact certainly was there, whichever clock of the service shows it, in ms. */
const certainlyOld = 120_000;

interface Listed {
	records: IDataObject[];
	/** Whether a hint says that contacts may be missing. */
	isUnsettled: boolean;
}

test('a contact that is there the whole time is listed once, or a hint says that some may be missing', async () => {
	await check({ history, play, runs: 1000 });
});

async function play(history: History): Promise<void> {
	beginAnew(history.seed, history.seed % 1000);
	const service = new Service(history);
	const listed = await passUntilDone(list(history, service));
	checkRecords(history, service, listed);
	checkRequests(history, service, listed);
	checkWhole(history, service, listed);
}

/** Lists contacts with the node. */
async function list(history: History, service: Service): Promise<Listed> {
	const { concurrency, requestsPerMinute, limit, hasSearch } = history;
	const parameters: IDataObject = {
		operation: 'list',
		collection: 'contacts',
		returnAll: limit === undefined,
		limit,
		filters: hasSearch ? { search: 'x' } : {},
		simplify: false,
		options: { concurrency },
		'options.concurrency': concurrency,
	};
	const parameter = (name: string) => parameters[name];
	const thin = thinContext({ items: [{}], parameter, answer: () => Buffer.from('') });
	const credential = await thin.context.getCredentials('');
	const context = {
		...thin.context,
		getCredentials: async () => ({ ...credential, requestsPerMinute }),
		continueOnFail: () => false,
		helpers: helpersThatAsk(async (_url, query = {}) => {
			if (service.requests > 50_000) throw new Violation('it ends', 'over 50,000 requests');
			return await service.answer(query);
		}),
	} as unknown as IExecuteFunctions;
	const [items] = (await node.execute!.call(context)) as INodeExecutionData[][];
	const isUnsettled = thin.hints.some(({ message }) => message.includes('may be missing'));
	return { records: items.map(({ json }) => json), isUnsettled };
}

function checkRecords({ limit = Infinity }: History, { versions }: Service, listed: Listed): void {
	const { records } = listed;
	const ids = records.map(({ id }) => String(id));
	if (new Set(ids).size < ids.length) throw new Violation('no contact twice', ids.join(' '));
	if (ids.length > limit) throw new Violation('no more than the limit', `${ids.length}`);
	for (const record of records) {
		const json = JSON.stringify(record);
		if (!versions.get(String(record.id))?.has(json)) throw new Violation('nothing made up', json);
	}
}

/** Where nothing changes, each page is requested once, and no hint suspects anything. */
function checkRequests(history: History, service: Service, { isUnsettled }: Listed): void {
	const { contacts, limit = Infinity, pageSize } = history;
	const { requests, changes } = service;
	if (changes > 0) return;
	if (isUnsettled) throw new Violation('hints are true', 'nothing changed');
	const pages = Math.max(1, Math.ceil(Math.min(contacts, limit) / pageSize));
	if (isCertain(history) && requests !== pages) {
		throw new Violation('one request a page', `${requests} requests for ${pages} pages`);
	}
}

/** Interface: LIST-13, LIST-14. */
function checkWhole(history: History, service: Service, { records, isUnsettled }: Listed): void {
	// Which contacts come first may change: any will do.
	if (records.length === history.limit) return;
	if (isUnsettled && service.changes <= 1 && isCertain(history)) {
		throw new Violation('it comes to know', 'after one change, a pass finds all that is there');
	}
	const given = new Set(records.map(({ id }) => String(id)));
	const lost = [...service.steady].filter((id) => !given.has(id));
	if (lost.length > 0 && !isUnsettled) {
		throw new Violation('nothing is lost without a hint', `${lost.join(' ')} not in the output`);
	}
}

/** Whether the service shows enough to be certain of a list that doesn't change. */
function isCertain({ dateAhead, hasDates, youngest }: History): boolean {
	return dateAhead !== null && hasDates && youngest >= certainlyOld;
}
