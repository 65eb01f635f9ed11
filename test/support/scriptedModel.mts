import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A call of a tool that the model asks for. */
export interface ToolCall {
	name: string;
	arguments: object;
}

/** A language model that follows a script, behind the interface that n8n's chat model node speaks. */
export interface ScriptedModel {
	/** To be the `url` of an `openAiApi` credential. */
	url: string;
	/** How many of the next answers to tool results fail. */
	failures: number;
	stop(): Promise<void>;
}

/** Asks for all `calls` in one turn, and once it has their results says that it is done. */
export async function startScriptedModel(calls: ToolCall[]): Promise<ScriptedModel> {
	const server = createServer(async (request, response) => {
		const { messages } = (await json(request)) as { messages: Array<{ role: string }> };
		const hasResults = messages.at(-1)?.role === 'tool';
		if (hasResults && model.failures > 0) {
			model.failures--;
			response.writeHead(400, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ error: { message: 'The script says: fail' } }));
			return;
		}
		const message = hasResults ? { content: 'Done' } : { content: null, tool_calls: asked(calls) };
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify({
				id: 'answer',
				object: 'chat.completion',
				created: 0,
				model: 'scripted',
				choices: [
					{
						index: 0,
						message: { role: 'assistant', ...message },
						finish_reason: hasResults ? 'stop' : 'tool_calls',
					},
				],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const model: ScriptedModel = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		failures: 0,
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return model;
}

function asked(calls: ToolCall[]): object[] {
	return calls.map(({ name, arguments: given }, index) => ({
		id: `call_${index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(given) },
	}));
}
