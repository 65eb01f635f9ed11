import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { thinContext } from '../../support/engine/bareRun.mts';
import { built, credential, nodeFile } from '../harness/built.mts';
import { pass, passUntilDone } from '../harness/clock.mts';
import type { Log } from '../harness/log.mts';
import { beginAnew } from '../harness/random.mts';
import { Violation } from '../harness/violation.mts';
import {
	columnOf,
	rowsOf,
	unmappedOption,
	type Execution,
	type History,
	type Row,
} from './history.mts';
import { check } from './invariants.mts';
import { idOf, Service, type Asking } from './service.mts';

const { CrmWorkspace } = built<{ CrmWorkspace: new () => INodeType }>(nodeFile);
const node = new CrmWorkspace();

/** In ms, between tries of Retry On Fail. */
const waitBetweenTries = 1000;

/** What the user sees of an execution: what came of its last try. */
export interface Outcome {
	rows: Row[];
	/** By row; undefined where the run ended with an error. */
	items: Array<IDataObject | undefined>;
	error?: string;
	hints: string[];
	tries: number;
	/** Moments of the service: the beginning of all tries and of the last one, and its end. */
	begun: number;
	from: number;
	to: number;
	/** By row, the address that the contact had when it was chosen from the list. */
	chosen: unknown[];
}

let plays = 0;

/** Plays a history. @throws Violation */
export async function play(history: History, log: Log): Promise<void> {
	beginAnew(history.chance);
	plays++;
	const service = new Service(history, log);
	const tooMany = new Promise<never>((_resolve, reject) => {
		service.onTooMany = () => reject(new Violation('it ends', `${service.requests} requests`));
	});
	const outcomes = await passUntilDone(Promise.race([executeAll(history, service, log), tooMany]));
	const { empties, response } = history.variants;
	const how = empties.length === 0 ? 'keeps' : empties.length >= 9 ? 'empties' : 'empties some';
	log.count(`service ${how} what is left out, responds ${response}`);
	log.count('requests', service.requests);
	log.count('executions', outcomes.length);
	for (const { items, error, tries } of outcomes) {
		if (tries > 1) log.count('executions tried again');
		if (error !== undefined) log.count('executions that ended with an error');
		for (const item of items) if (item) log.count(`items: ${String(item._result ?? 'error')}`);
	}
	check(history, service, outcomes, log);
}

async function executeAll(history: History, service: Service, log: Log): Promise<Outcome[]> {
	const { executions, isSideBySide } = history;
	const outcomes: Array<Promise<Outcome>> = [];
	for (const one of executions) {
		const begun = isSideBySide ? pass(one.begins) : Promise.resolve();
		outcomes.push(begun.then(async () => await execute(history, one, service, log)));
		if (!isSideBySide) await outcomes.at(-1);
	}
	return await Promise.all(outcomes);
}

/** An execution with its tries. n8n tries again after an error, and where the first item is one. */
async function execute(
	history: History,
	execution: Execution,
	service: Service,
	log: Log,
): Promise<Outcome> {
	const rows = rowsOf(history, execution);
	const number = history.executions.indexOf(execution);
	const parameters = rows.map((row) => parametersOf(row, execution, service));
	const chosen = rows.map(({ who }) =>
		typeof who === 'number' ? service.valuesOf(who).email : who,
	);
	const [begun, memory] = [service.now, {}];
	for (let attempt = 0; ; attempt++) {
		const asking: Asking = { execution: number, attempt, read: new Set() };
		const { context, hints } = contextOf(execution, rows, parameters, memory, service, asking);
		const items: Outcome['items'] = rows.map(() => undefined);
		const [from, tries] = [service.now, attempt + 1];
		let error: string | undefined;
		try {
			const [output] = (await node.execute!.call(context)) as INodeExecutionData[][];
			for (const { json, pairedItem } of output) {
				items[(pairedItem as { item: number }).item] = json;
			}
		} catch (thrown) {
			const { message, description } = thrown as { message: string; description?: string };
			error = [message, description].filter(Boolean).join(' | ');
		}
		log.tell(() => `e${number + 1} try ${tries} ends${error === undefined ? '' : `: ${error}`}`);
		for (const [index, item] of items.entries()) {
			const came = item && (item.error ?? `${String(item._result)} ${String(item.id)}`);
			log.tell(() => `  ${rows[index].name}: ${String(came)}`);
		}
		for (const { message } of hints) log.tell(() => `  hint: ${message}`);
		const hasFailed = error !== undefined || items[0]?.error !== undefined;
		if (!hasFailed || tries >= execution.tries) {
			const told = hints.map(({ message }) => message);
			return { rows, items, error, hints: told, tries, begun, from, to: service.now, chosen };
		}
		await pass(waitBetweenTries);
	}
}

/** The values of the node's parameters for a row. */
function parametersOf({ by, who }: Row, execution: Execution, service: Service): IDataObject {
	const contact: IDataObject = { __rl: true, mode: by, value: who };
	if (typeof who === 'number') {
		contact.value = idOf(who);
		const { firstName, lastName, email, company } = service.valuesOf(who);
		const name = [firstName, lastName].filter(Boolean).join(' ');
		if (by === 'list')
			contact.cachedResultName = [name, email, company].filter(Boolean).join(' · ');
	}
	const { unmapped, tags, emptyValues, concurrency, skipUnchanged, dryRun } = execution;
	const options: IDataObject = {
		tagMode: tags,
		emptyValues,
		concurrency,
		[unmappedOption]: unmapped,
	};
	if (skipUnchanged) options.skipUnchanged = true;
	if (dryRun) options.dryRun = true;
	const fields = { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] };
	return { operation: 'updateContact', contact, fields, simplify: false, options };
}

/** As much of n8n around the node as it takes. */
function contextOf(
	{ goesOn, tries }: Execution,
	rows: Row[],
	parameters: IDataObject[],
	memory: object,
	service: Service,
	asking: Asking,
) {
	const { context, hints } = thinContext({
		items: rows.map(
			({ given }) => Object.fromEntries(Object.entries(given).map(columnOf)) as IDataObject,
		),
		parameter: (name, item) =>
			name.split('.').reduce<any>((value, part) => value?.[part], parameters[item]),
		answer: () => Buffer.from(''),
	});
	const onError = goesOn ? 'continueRegularOutput' : 'stopWorkflow';
	const settings = { onError, retryOnFail: tries > 1, maxTries: tries, waitBetweenTries };
	const id = `${plays}.${asking.execution}`;
	const shared = { ...credential, apiKey: `sk_test_${plays}`, requestsPerMinute: 1_000_000 };
	const own = {
		getNode: () => ({ id: '1', name: 'CRM', type: 'crm', parameters: parameters[0], ...settings }),
		// All executions of a history have the same one.
		getCredentials: async () => shared,
		continueOnFail: () => goesOn,
		getExecutionId: () => id,
		getContext: () => memory,
		helpers: {
			async httpRequestWithAuthentication(_type: string, { method, url, qs, body }: any) {
				const { text, ...rest } = await service.request(asking, method, url, qs ?? {}, body);
				return { ...rest, statusMessage: '', body: text };
			},
		},
	};
	return { context: { ...context, ...own } as unknown as IExecuteFunctions, hints };
}
