// Before n8n, of which it keeps the log.
import { forgetLogged, logged } from '../../support/keys/everythingOf.mts';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { CrmWorkspaceApi } from '../../../credentials/CrmWorkspaceApi.credentials';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { watchEventLoop } from '../../support/engine/eventLoop.mts';
import { runNode, type NodeResult } from '../../support/engine/runNode.mts';
import { passUntilDone } from '../harness/clock.mts';
import { Contacts } from '../harness/contacts.mts';
import { Messages } from '../harness/messages.mts';
import { beginAnew } from '../harness/model.mts';
import { credential, helpersThatAsk } from '../harness/node.mts';
import { Service, type Fault } from '../harness/service.mts';
import { addressOf, idOf, type Answer, type Change, type History } from './history.mts';
import { key } from './values.mts';

/** What came of a history. */
export interface Outcome extends NodeResult {
	/** What the node threw, as n8n gets it. */
	thrown?: unknown;
	/** The addresses of all requests. */
	urls: string[];
	logged: string;
	/** CPU time of the longest turn of the event loop, in ms. */
	blockedMs: number;
}

const crmWorkspace: INodeType = new CrmWorkspace();
const authenticate = new CrmWorkspaceApi().authenticate as (
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/** Runs the node in n8n's engine. */
export async function play(history: History): Promise<Outcome> {
	beginAnew(1);
	forgetLogged();
	const service = createService(history);
	const urls: string[] = [];
	const watched: Pick<Outcome, 'thrown' | 'blockedMs'> = { blockedMs: 0 };
	const ask: Parameters<typeof helpersThatAsk>[0] = async (asked, { credentialsDecrypted }) => {
		const request = await authenticate(credentialsDecrypted!.data!, asked);
		urls.push(request.url);
		return await service.ask(request, request);
	};
	const type: INodeType = {
		description: crmWorkspace.description,
		async execute(this: IExecuteFunctions) {
			Object.assign(this.helpers, helpersThatAsk(ask));
			const work = async () => (await crmWorkspace.execute!.call(this)) as INodeExecutionData[][];
			const caught = (error: unknown) => void (watched.thrown = error);
			const { longest, result } = await watchEventLoop(async () => await work().catch(caught));
			watched.blockedMs = longest;
			if (watched.thrown !== undefined) throw watched.thrown;
			return result!;
		},
	};
	const settings = { onError: history.onError } as object;
	const run = {
		parameters: history.run as INodeParameters,
		credential: { ...credential, apiKey: key },
		type,
		settings,
	};
	const result = await passUntilDone(runNode(run));
	return { ...result, ...watched, urls, logged: logged() };
}

function createService({ answers }: History): Service {
	const contacts = new Contacts({}, Math.random);
	for (const index of [0, 1, 2, 3]) {
		const values = { firstName: `First ${index}`, email: addressOf(index), tags: ['a'] };
		contacts.add(idOf(index), values);
	}
	return new Service({
		contacts,
		messages: new Messages({
			...{ failureAnswer: 502, rejectedIsFailed: true, failedAndDifferent: 'IDEMPOTENT_REPLAY' },
		}),
		recordsOf: () => ['{"id":"x1","title":"One"}'],
		latency: () => 5,
		arrives: ({ by }, number) => faultOf(answers[number], by),
	});
}

/** @param request what n8n's HTTP client throws along, with its headers */
function faultOf(answer: Answer | undefined, request: unknown): Fault | undefined {
	if (!answer) return undefined;
	return {
		isDone: true,
		respond(right) {
			if (answer === 'silence') return new Promise<never>(() => {});
			if ('thrown' in answer) {
				const { thrown, code } = answer;
				const cause = { config: request };
				throw Object.assign(new Error(thrown, { cause }), { code, config: request });
			}
			const { body, ...rest } = answer;
			return { ...rest, body: typeof body === 'string' ? body : changed(right!.body, body) };
		},
	};
}

/** JSON with changes: each place is a value within, and what is put there is JSON. */
function changed(json: string, changes: Change[]): string {
	const root = { answer: JSON.parse(json) };
	const puts: string[] = [];
	const mark = (put: string) => `@put ${puts.push(put) - 1}@`;
	for (const { place, name, json } of changes) {
		const all = valuesIn(root);
		const { owner, name: at } = all[place % all.length];
		const more = () => ({ ...Object(owner[at]), [mark(JSON.stringify(name))]: mark(json) });
		owner[at] = name === undefined ? mark(json) : more();
	}
	const text = JSON.stringify(root.answer);
	return text.replace(/"@put (\d+)@"/g, (_all, number) => puts[number]);
}

interface Place {
	owner: Record<string, any>;
	name: string;
}

/** All values within one. */
function valuesIn(owner: Record<string, any>): Place[] {
	return Object.entries(owner).flatMap(([name, value]) => [
		{ owner, name },
		...(typeof value === 'object' && value ? valuesIn(value) : []),
	]);
}
