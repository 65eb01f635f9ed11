import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	IPairedItemData,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { thinContext } from '../../support/engine/bareRun.mts';
import { streamed } from '../../support/simulated/streamed.mts';
import { pass, passUntilDone } from '../harness/clock.mts';
import { beginAnew } from '../harness/random.mts';
import { credential, type Answer } from '../harness/service.mts';
import { rowsOf, type Execution, type History, type Row } from './history.mts';
import { Service } from './service.mts';

const node = new CrmWorkspace();

/** An execution, and what the user sees of it: what came of its last try. */
export interface Run {
	execution: Execution;
	number: number;
	rows: Row[];
	/** By row; none if it ended with an error. */
	items: IDataObject[];
	error?: string;
	hints: string[];
	/** Of its tries, the number of the last one. */
	attempt: number;
	/** The moments of the service between which it ran. */
	from: number;
	to: number;
	/** What it may be shown at the earliest: lists can lag behind updates whose outcome is unknown. */
	sees: number;
}

let plays = 0;

/** Plays a history. @returns what came of it, and the service with all that happened there */
export async function play(history: History): Promise<{ runs: Run[]; service: Service }> {
	beginAnew(history.chance);
	plays++;
	const service = new Service(history);
	const { executions, isSideBySide } = history;
	const runs: Array<Promise<Run>> = [];
	for (const one of executions) {
		const begun = isSideBySide ? pass(one.begins) : Promise.all(runs);
		runs.push(begun.then(async () => await execute(history, one, service)));
	}
	const done = await passUntilDone(Promise.all(runs));
	const hasFailed = ({ error, items }: Run) => error ?? items.some((item) => item?.error);
	const seesPast = history.variant.lag > 0 && done.some(hasFailed);
	return { runs: done.map((run) => ({ ...run, sees: seesPast ? 0 : run.from })), service };
}

/** Runs an execution. n8n tries again after an error, and if the first item is one. */
async function execute(history: History, execution: Execution, service: Service): Promise<Run> {
	const rows = rowsOf(history, execution);
	const number = history.executions.indexOf(execution);
	const [from, memory] = [service.now, {}];
	for (let attempt = 0; ; attempt++) {
		const ask = async (options: IHttpRequestOptions) =>
			await service.request({ execution: number, attempt }, options);
		const { context, hints } = contextOf(execution, rows, memory, ask);
		const run: Run = {
			execution,
			number,
			rows,
			items: [],
			hints: [],
			attempt,
			from,
			to: 0,
			sees: from,
		};
		try {
			const [output] = (await node.execute!.call(context)) as INodeExecutionData[][];
			for (const { json, pairedItem } of output)
				run.items[(pairedItem as IPairedItemData).item] = json;
		} catch (thrown) {
			const { message, description } = thrown as { message: string; description?: string };
			run.error = `${message} | ${description}`;
		}
		const hasFailed = run.error !== undefined || run.items[0]?.error !== undefined;
		if (!hasFailed || attempt + 1 >= execution.tries) {
			return { ...run, hints: hints.map(({ message }) => message), to: service.now };
		}
		await pass(1_000);
	}
}

/** As much of n8n around the node as it takes. */
function contextOf(
	execution: Execution,
	rows: Row[],
	memory: object,
	ask: (options: IHttpRequestOptions) => Promise<Answer>,
) {
	const { goesOn, tries, options } = execution;
	const parameters = (item: number): IDataObject => ({
		operation: 'updateContact',
		contact: { __rl: true, mode: 'email', value: rows[item].who },
		fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		simplify: false,
		options,
	});
	const { context, hints } = thinContext({
		items: rows.map(({ given }) => given as IDataObject),
		parameter: (name, item) =>
			name.split('.').reduce<any>((value, part) => value?.[part], parameters(item)),
		answer: () => Buffer.from(''),
	});
	const onError = goesOn ? 'continueRegularOutput' : 'stopWorkflow';
	const settings = { onError, retryOnFail: tries > 1, maxTries: tries };
	// All executions of a history have the same key.
	const shared = { ...credential, apiKey: `sk_test_${plays}`, requestsPerMinute: 1_000_000 };
	const own = {
		getNode: () => ({ id: '1', name: 'CRM', type: 'crm', parameters: parameters(0), ...settings }),
		getCredentials: async () => shared,
		continueOnFail: () => goesOn,
		getContext: () => memory,
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: any) =>
				streamed(await ask(options)),
		},
	};
	return { context: { ...context, ...own } as unknown as IExecuteFunctions, hints };
}
