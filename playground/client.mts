import { parse } from 'flatted';
import pWaitFor from 'p-wait-for';
import { request } from 'undici';
import { isSince } from './installed.mts';

export const owner = { email: 'owner@example.com', firstName: 'Play', lastName: 'Ground' };

export interface Workflow {
	name: string;
	nodes: Array<{ name: string; type: string; [key: string]: unknown }>;
	connections: Record<string, unknown>;
	[key: string]: unknown;
}

export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
}

export interface Execution {
	id: string;
	status: 'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';
	mode: string;
	workflowId: string;
	/** What each node put out, in n8n's own form; only `N8n.execution` fills it. */
	data: { resultData: { runData: Record<string, NodeRun[]>; error?: { message: string } } };
}

export interface NodeRun {
	error?: { message: string; description?: string; [key: string]: unknown };
	data?: { main: Array<Array<{ json: any; error?: unknown; pairedItem?: unknown }> | null> };
	hints?: Array<{ message: string }>;
	[key: string]: unknown;
}

export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** n8n's HTTP interface as its own editor uses it. Needs `logIn` before anything else. */
export class N8n {
	readonly url: string;
	cookie: string;

	constructor(url: string, cookie = '') {
		this.url = url;
		this.cookie = cookie;
	}

	/** Makes the owner of a new n8n, or logs in to one that has its owner already. */
	async logIn(password: string): Promise<void> {
		await until('n8n to know its routes', async () => {
			const { statusCode } = await this.send('GET', '/rest/settings');
			return statusCode === 200 || undefined;
		});
		const made = await this.send('POST', '/rest/owner/setup', { ...owner, password });
		const login = { emailOrLdapLoginId: owner.email, email: owner.email, password };
		const answer = made.statusCode === 200 ? made : await this.send('POST', '/rest/login', login);
		const setCookie = [answer.headers['set-cookie'] ?? []].flat()[0];
		if (!setCookie) throw new Error(`n8n refused the login: ${answer.statusCode} ${answer.text}`);
		this.cookie = setCookie.split(';')[0];
	}

	/** One request of the editor's; the answer without its `data` envelope. */
	async call<T = any>(method: string, path: string, body?: unknown): Promise<T> {
		const { statusCode, text } = await this.send(method, path, body);
		if (statusCode >= 300) throw new Error(`n8n: ${method} ${path}: ${statusCode} ${text}`);
		const json = text === '' ? undefined : JSON.parse(text);
		return json?.data ?? json;
	}

	async nodeTypes(): Promise<any[]> {
		return this.call('GET', '/types/nodes.json');
	}

	async createCredential(name: string, type: string, data: object): Promise<string> {
		return (await this.call('POST', '/rest/credentials', { name, type, data })).id;
	}

	/** What the editor's 'Retry' and 'Save' show for a credential: a stored one is tested. */
	async testCredential(id: string): Promise<CredentialTest> {
		const credentials = await this.call('GET', `/rest/credentials/${id}?includeData=true`);
		return this.call('POST', '/rest/credentials/test', { credentials });
	}

	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		return this.call('POST', '/rest/workflows', { settings: {}, active: false, ...workflow });
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return this.call('GET', `/rest/workflows/${id}`);
	}

	/** The editor's 'Save'; `versionId` is that of the workflow as it was read. */
	async updateWorkflow(
		id: string,
		changes: Partial<Workflow> & { versionId: string },
	): Promise<StoredWorkflow> {
		return this.call('PATCH', `/rest/workflows/${id}`, changes);
	}

	async activate({ id, versionId }: StoredWorkflow): Promise<void> {
		await this.switchTo('activate', id, { versionId });
	}

	/** Makes a workflow one that others call; an n8n instance before 2 has each as it is saved. */
	async publish(workflow: StoredWorkflow): Promise<void> {
		if (isSince('2.0')) await this.activate(workflow);
	}

	async deactivate({ id }: StoredWorkflow): Promise<void> {
		await this.switchTo('deactivate', id, {});
	}

	/** 'Execute workflow' from the named trigger. */
	async start(workflow: StoredWorkflow, trigger: string): Promise<string> {
		const body = { workflowData: workflow, triggerToStartFrom: { name: trigger } };
		const { executionId } = await this.call('POST', `/rest/workflows/${workflow.id}/run`, body);
		if (!executionId) throw new Error(`n8n did not start '${workflow.name}': it waits for a call`);
		return executionId;
	}

	/** Starts a workflow and waits for its end. */
	async run(workflow: StoredWorkflow, trigger: string): Promise<Execution> {
		return this.ended(await this.start(workflow, trigger));
	}

	/** The newest executions first, without their data. */
	async executions(workflowId?: string): Promise<Execution[]> {
		const filter = workflowId
			? `?filter=${encodeURIComponent(JSON.stringify({ workflowId }))}`
			: '';
		return (await this.call('GET', `/rest/executions${filter}`)).results;
	}

	async execution(id: string): Promise<Execution> {
		const execution = await this.call('GET', `/rest/executions/${id}`);
		return { ...execution, data: parse(execution.data) };
	}

	/** Waits until an execution has come to an end, whichever. */
	async ended(id: string): Promise<Execution> {
		let seen = '';
		return until(`execution ${id} to end`, async () => {
			const execution = await this.execution(id);
			if (['new', 'running', 'waiting'].includes(execution.status)) return undefined;
			if (isSince('2.15')) return execution;
			// Older ones write down that it has ended, and what came of it a moment later.
			const before = seen;
			seen = JSON.stringify(execution);
			return seen === before && execution.data ? execution : undefined;
		});
	}

	/** Waits until a workflow's next execution has ended, for those begun by a call. */
	async nextEnded(workflowId: string): Promise<Execution> {
		return this.ended(await this.nextBegun(workflowId));
	}

	/** Waits until a workflow's next execution is there. */
	async nextBegun(workflowId?: string, known: string[] = []): Promise<string> {
		return until(`workflow ${workflowId ?? ''} to run`, async () =>
			(await this.executions(workflowId)).map((one) => one.id).find((one) => !known.includes(one)),
		);
	}

	/** The executions list's 'Retry', with the workflow as it is now or as it was; n8n waits too. */
	async retry(id: string, workflow: 'current' | 'original'): Promise<Execution> {
		const body = { loadWorkflow: workflow === 'current' };
		const known = (await this.executions()).map((one) => one.id);
		const retried = await this.call('POST', `/rest/executions/${id}/retry`, body);
		return this.ended(retried.id ?? (await this.nextBegun(undefined, known)));
	}

	async stop(id: string): Promise<void> {
		await this.call('POST', `/rest/executions/${id}/stop`);
	}

	/** Calls an active workflow's webhook; it answers a moment after the activation. */
	async webhook(path: string, body: unknown, headers = {}): Promise<string> {
		return until(`the webhook ${path}`, async () => {
			const { statusCode, text } = await this.send('POST', `/webhook/${path}`, body, headers);
			if (statusCode >= 300 && statusCode !== 404) throw new Error(`${statusCode} ${text}`);
			return statusCode === 404 ? undefined : text;
		});
	}

	/** A data table of the owner's personal project, with rows. */
	async createDataTable(name: string, rows: Array<Record<string, string>>): Promise<string> {
		const project = await this.call('GET', '/rest/projects/personal');
		const tables = `/rest/projects/${project.id}/data-tables`;
		const columns = Object.keys(rows[0]).map((column) => ({ name: column, type: 'string' }));
		const { id } = await this.call('POST', tables, { name, columns });
		await this.call('POST', `${tables}/${id}/insert`, { data: rows });
		return id;
	}

	/** Older ones, such as 1.85, have no requests for it: there it is a change of the workflow. */
	private async switchTo(action: 'activate' | 'deactivate', id: string, body: object) {
		const path = `/rest/workflows/${id}/${action}`;
		const { statusCode, text } = await this.send('POST', path, body);
		if (statusCode === 404) {
			await this.call('PATCH', `/rest/workflows/${id}`, { active: action === 'activate' });
		} else if (statusCode >= 300) throw new Error(`n8n: ${path}: ${statusCode} ${text}`);
	}

	private async send(method: string, path: string, body?: unknown, further: object = {}) {
		const {
			statusCode,
			headers,
			body: answer,
		} = await request(this.url + path, {
			method,
			headers: { cookie: this.cookie, 'content-type': 'application/json', ...further },
			body: body === undefined ? null : JSON.stringify(body),
			// A connection that waits may be closed just when it is used.
			reset: true,
		});
		return { statusCode, headers, text: await answer.text() };
	}
}

/**
 * Asks again and again until there is an answer.
 * @param seconds long enough for a busy machine, unless what is waited for takes minutes itself
 * @param interval ms between two times
 * @throws an Error when the time is over, or what `ask` throws
 */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined>,
	{ seconds = 120, interval = 50 } = {},
): Promise<T> {
	const message = `Waited ${seconds} s in vain for ${what}`;
	return await pWaitFor(
		async () => {
			const answer = await ask();
			return answer !== undefined && pWaitFor.resolveWith(answer);
		},
		{ interval, timeout: { milliseconds: seconds * 1000, message } },
	);
}
