import type { IDataObject } from 'n8n-workflow';
import { pass, passUntilDone } from '../harness/clock.mts';
import { Contacts } from '../harness/contacts.mts';
import { beginAnew } from '../harness/model.mts';
import { credential, runThin, type Ran } from '../harness/node.mts';
import { answerOf, connectionReset, Service, type Fault } from '../harness/service.mts';
import { firstValues, rowsOf, type Execution, type History, type Row } from './history.mts';

/** Which try of which execution makes a request. */
export interface Asking {
	execution: number;
	attempt: number;
}

/** An execution, and what the user sees of it: what came of its last try. */
export interface Run extends Ran {
	execution: Execution;
	number: number;
	rows: Row[];
	/** Of its tries, the number of the last one. */
	attempt: number;
	/** How many updates there had been when it began and when it ended. */
	from: number;
	to: number;
	/**
	 * Whether it may be shown what was before it, or before its last try: a list can lag behind an
	 * update whose outcome is unknown.
	 */
	seesPast: boolean;
}

const ids = [1, 2, 3, 4].map((number) => `${number}0000000-0000-4000-8000-000000000000`);
export const idOf = (contact: number) => ids[contact];

let plays = 0;

/** Plays a history. @returns what came of it, and the contacts with all that they have been */
export async function play(history: History): Promise<{ runs: Run[]; contacts: Contacts }> {
	beginAnew(history.chance);
	plays++;
	const { contacts, service } = createService(history);
	const runs: Array<Promise<Run>> = [];
	for (const one of history.executions) {
		const begun = history.isSideBySide ? pass(one.begins) : Promise.all(runs);
		runs.push(begun.then(async () => await execute(history, one, contacts, service)));
	}
	const done = await passUntilDone(Promise.all(runs));
	const hasFailed = ({ error, items }: Run) => error ?? items.some((item) => item?.error);
	const isLate = history.variant.lag > 0 && done.some(hasFailed);
	const seesPast = ({ from, attempt }: Run) => isLate && (from > 0 || attempt > 0);
	return { runs: done.map((run) => ({ ...run, seesPast: seesPast(run) })), contacts };
}

function createService(history: History) {
	const { people, variant, faults } = history;
	const contacts = new Contacts(
		{
			...variant,
			// Otherwise nothing could show it.
			ignoresNull: variant.ignoresNull && variant.hides.length === 0,
			dates: variant.lag < 0 ? 'none' : 'ms',
			lag: Math.max(0, variant.lag),
		},
		Math.random,
	);
	for (const index of people.keys()) contacts.add(idOf(index), firstValues(history, index));
	const puts: Record<string, number> = {};
	const service = new Service({
		...{ contacts, dateAhead: null, latency: () => 40 * Math.random() },
		arrives({ method, path }) {
			if (method !== 'PUT') return undefined;
			const number = (puts[path] = (puts[path] ?? -1) + 1);
			const fault = faults.find(
				({ contact, from, times }) =>
					path.endsWith(idOf(contact)) && number >= from && number < from + times,
			);
			return fault && faultOf[fault.kind];
		},
	});
	return { contacts, service };
}

const refusal = (statusCode: number): Fault => ({
	isDone: false,
	respond: () => answerOf(statusCode, '{"message":"It cannot be done"}', undefined),
});

const faultOf: Record<History['faults'][number]['kind'], Fault> = {
	'executed, no response': { isDone: true, respond: connectionReset },
	'answered 500': refusal(500),
	'refused with 422': refusal(422),
};

/** Runs an execution. n8n tries again after an error, and if the first item is one. */
async function execute(
	history: History,
	execution: Execution,
	contacts: Contacts,
	service: Service,
): Promise<Run> {
	const rows = rowsOf(history, execution);
	const number = history.executions.indexOf(execution);
	const { goesOn, tries, options } = execution;
	const [from, memory] = [contacts.now, {}];
	const parameters = (item: number): IDataObject => ({
		operation: 'updateContact',
		contact: { __rl: true, mode: 'email', value: rows[item].who },
		fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		simplify: false,
		options,
	});
	const onError = goesOn ? 'continueRegularOutput' : 'stopWorkflow';
	const settings = { onError, retryOnFail: tries > 1, maxTries: tries };
	const own = {
		getNode: () => ({ id: '1', name: 'CRM', type: 'crm', parameters: parameters(0), ...settings }),
		// All executions of a history have the same key.
		getCredentials: async () => ({ ...credential, apiKey: `sk_test_${plays}` }),
		continueOnFail: () => goesOn,
		getContext: () => memory,
	};
	for (let attempt = 0; ; attempt++) {
		const ran = await runThin({
			items: rows.map(({ cells }) => cells as IDataObject),
			parameters,
			ask: async (request) => await service.ask(request, { execution: number, attempt }),
			own,
		});
		const hasFailed = ran.error !== undefined || ran.items[0]?.error !== undefined;
		if (!hasFailed || attempt + 1 >= tries) {
			const span = { from, to: contacts.now, seesPast: false };
			return { ...ran, execution, number, rows, attempt, ...span };
		}
		await pass(1_000);
	}
}
