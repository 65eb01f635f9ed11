import type {
	IAdditionalCredentialOptions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { thinContext } from '../../support/engine/bareRun.mts';
import { streamed } from '../../support/simulated/streamed.mts';
import type { Answer } from './service.mts';

const node = new CrmWorkspace();

/** A credential for the simulated service, without what else it says. */
export const credential: IDataObject = {
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	authHeader: 'authorization',
	processes: 1,
	requestsPerMinute: 1_000_000,
};

/** As much of n8n's helpers as the node takes. @param ask asks the simulated service */
export function helpersThatAsk(
	ask: (request: IHttpRequestOptions, more: IAdditionalCredentialOptions) => Promise<Answer>,
) {
	return {
		httpRequestWithAuthentication: async (
			_credential: string,
			request: IHttpRequestOptions,
			more: IAdditionalCredentialOptions,
		) => streamed(await ask(request, more)),
	};
}

/** A run of the node without an engine around. */
interface ThinRun {
	items: IDataObject[];
	parameters: (item: number) => IDataObject;
	ask: (request: IHttpRequestOptions) => Promise<Answer>;
	/** What is not as usual of the context. */
	own: object;
}

/** What came of it. */
export interface Ran {
	/** By input item, its last one; none if the run ended with an error. */
	items: IDataObject[];
	all: IDataObject[];
	/** What it threw, and that in words. */
	thrown?: unknown;
	error?: string;
	hints: string[];
}

export async function runThin({ items, parameters, ask, own }: ThinRun): Promise<Ran> {
	const { context, hints } = thinContext({
		items,
		parameter: (name, item) =>
			name.split('.').reduce<any>((value, part) => value?.[part], parameters(item)),
		answer: () => Buffer.from(''),
	});
	const whole = { ...context, helpers: helpersThatAsk(ask), ...own } as IExecuteFunctions;
	const ran: Ran = { items: [], all: [], hints: [] };
	try {
		const [output] = await node.execute.call(whole);
		for (const { json, pairedItem } of output) {
			ran.items[(pairedItem as { item: number }).item] = json;
			ran.all.push(json);
		}
	} catch (thrown) {
		const { message, description } = thrown as { message: string; description?: string };
		ran.thrown = thrown;
		ran.error = `${message} | ${description}`;
	}
	ran.hints = hints.map(({ message }) => message);
	return ran;
}
