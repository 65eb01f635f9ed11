import fastify from 'fastify';

/** In the arguments of a call: what the agent asked the model. */
export const prompt = 'PROMPT';

/** A call of a tool that the model asks for. */
export interface ToolCall {
	name: string;
	arguments: object;
}

/** A language model that follows a script, behind the interface that n8n's chat model node speaks. */
export interface ScriptedModel {
	/** To be the `url` of an `openAiApi` credential. */
	url: string;
	/** Which of its answers to tool results fail, counted from 1. */
	failing: number[];
	/** How many answers to tool results it was asked for. */
	answers: number;
	/** What its calls of tools gave, as it was told last. */
	results: string[];
	stop(): Promise<void>;
}

/**
 * Asks in each turn of an agent for the calls of one step after the other, each step in one answer,
 * and once it has the results of the last one says that it is done. Turns are independent: an agent
 * that begins again is asked for everything again, under new call ids, as a real model does.
 */
export async function startScriptedModel(...steps: ToolCall[][]): Promise<ScriptedModel> {
	let asked = 0;
	const ask = ({ name, arguments: given }: ToolCall, index: number, text: string) => ({
		index,
		id: `call_${++asked}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(given).replaceAll(prompt, text) },
	});
	const server = fastify({ forceCloseConnections: true, bodyLimit: 2 ** 24 });
	server.post<{ Body: Question }>('/v1/chat/completions', async ({ body }, reply) => {
		const { messages, stream } = body;
		const hasResults = messages.at(-1)?.role === 'tool';
		const results = messages.filter(({ role }) => role === 'tool');
		model.results = results.map(({ content }) => String(content));
		if (hasResults && model.failing.includes(++model.answers)) {
			throw Object.assign(new Error('The script says: fail'), { statusCode: 400 });
		}
		const calls = steps[messages.filter((message) => message.tool_calls).length];
		const text = messages.find(({ role }) => role === 'user')?.content ?? '';
		const message = calls
			? { content: null, tool_calls: calls.map((call, index) => ask(call, index, text)) }
			: { content: 'Done' };
		const said = { role: 'assistant', ...message };
		const choice = { index: 0, finish_reason: calls ? 'tool_calls' : 'stop' };
		const answer = { id: 'answer', created: 0, model: 'scripted' };
		if (stream) {
			const object = 'chat.completion.chunk';
			const chunk = { ...answer, object, choices: [{ ...choice, delta: said }] };
			reply.type('text/event-stream');
			return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
		}
		return {
			...answer,
			object: 'chat.completion',
			choices: [{ ...choice, message: said }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	const model: ScriptedModel = {
		url: `${await server.listen({ port: 0, host: '127.0.0.1' })}/v1`,
		failing: [],
		answers: 0,
		results: [],
		stop: async () => await server.close(),
	};
	return model;
}

interface Question {
	messages: Array<{ role: string; content: string; tool_calls?: unknown[] }>;
	/** Agents before 2 read the answer as a stream of events. */
	stream?: boolean;
}
