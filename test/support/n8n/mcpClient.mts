import { request } from 'undici';

/** A client of an MCP server, over streamable HTTP. */
export interface McpClient {
	/** What the server calls its tools. */
	tools(): Promise<string[]>;
	callTool(name: string, given: object): Promise<ToolResult>;
}

export interface ToolResult {
	content: Array<{ type: string; text?: string }>;
	isError?: boolean;
}

/** Begins a session. */
export async function connectMcp(url: string): Promise<McpClient> {
	let session: string | undefined;
	let asked = 0;

	async function send(message: object): Promise<string> {
		const { statusCode, headers, body } = await request(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(session && { 'mcp-session-id': session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		const text = await body.text();
		if (statusCode >= 300) throw new Error(`MCP: ${statusCode} ${text}`);
		session ??= [headers['mcp-session-id'] ?? []].flat()[0];
		return text;
	}

	async function ask(method: string, params: object): Promise<any> {
		const answer = messageIn(await send({ id: ++asked, method, params }));
		if (answer.error) throw new Error(`MCP: ${answer.error.message}`);
		return answer.result;
	}

	await ask('initialize', {
		protocolVersion: '2025-03-26',
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});
	await send({ method: 'notifications/initialized' });
	return {
		tools: async () => (await ask('tools/list', {})).tools.map(({ name }: any) => name),
		callTool: async (name, given) => await ask('tools/call', { name, arguments: given }),
	};
}

/** The one message of an answer: JSON, or an event stream with one event. */
function messageIn(text: string): any {
	const event = text.split('\n').find((line) => line.startsWith('data:'));
	return JSON.parse(event ? event.slice('data:'.length) : text);
}
