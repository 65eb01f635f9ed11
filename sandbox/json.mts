import type { FastifyInstance } from 'fastify';

import { isObject } from './service/tokens.mts';

/**
 * The nesting limit of JSON: more than anyone needs, and few enough for recursive functions such as
 * `JSON.stringify`, wherever the value is stored and shown.
 */
const mostLevels = 500;

/** Fastify's JSON parser, which also rejects JSON that is nested too deeply. */
export function jsonParser(
	app: FastifyInstance,
): ReturnType<FastifyInstance['getDefaultJsonParser']> {
	const parse = app.getDefaultJsonParser('error', 'error');
	return (request, body, done) =>
		parse(request, body, (error, value) => {
			if (error || !isTooDeep(value)) return done(error, value);
			const message = `The JSON is nested more than ${mostLevels} levels deep`;
			done(Object.assign(new Error(message), { statusCode: 400 }));
		});
}

/** Goes level by level, because recursion could exhaust the stack. */
function isTooDeep(value: unknown): boolean {
	let level = [value].filter(isObject);
	let levels = 0;
	for (; level.length > 0 && levels <= mostLevels; levels += 1) {
		level = level.flatMap((one) => Object.values(one)).filter(isObject);
	}
	return levels > mostLevels;
}
