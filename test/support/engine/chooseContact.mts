import type {
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import { streamed } from '../simulated/streamed.mts';

/** What the list of the Contact parameter shows in the editor. @param page as the one before gave it */
export async function chooseContact(
	baseUrl: string,
	apiKey: string,
	page?: string,
): Promise<INodeListSearchResult> {
	const credential = {
		...{ baseUrl, apiKey, mode: 'test', authHeader: 'authorization' },
		requestsPerMinute: 100_000,
	};
	const context = {
		getCredentials: async () => credential,
		getNode: () => ({ type: 'crmWorkspace', name: 'CRM', parameters: {} }),
		helpers: {
			async httpRequestWithAuthentication(_type: string, { url, qs }: IHttpRequestOptions) {
				const query = new URLSearchParams(JSON.parse(JSON.stringify(qs)));
				const answer = await fetch(`${url}?${query}`, { headers: { 'x-api-key': apiKey } });
				const headers = Object.fromEntries(answer.headers);
				return streamed({ statusCode: answer.status, headers, body: await answer.text() });
			},
		},
	} as unknown as ILoadOptionsFunctions;
	return await new CrmWorkspace().methods.listSearch.searchContacts.call(context, undefined, page);
}
