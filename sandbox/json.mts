import type { FastifyInstance } from 'fastify';

import { isObject } from './service/tokens.mts';

/**
 * How many levels deep JSON may be nested. More than anyone means, and little enough for all that
 * goes through it by recursion, such as `JSON.stringify`, wherever it is kept and shown later.
 */
const mostLevels = 500;

/** What Fastify parses JSON with, but for JSON that is nested too deeply: that is refused, too. */
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

/** Level by level, as going down by recursion would be what it guards against. */
function isTooDeep(value: unknown): boolean {
	let level = [value].filter(isObject);
	let levels = 0;
	for (; level.length > 0 && levels <= mostLevels; levels += 1) {
		level = level.flatMap((one) => Object.values(one)).filter(isObject);
	}
	return levels > mostLevels;
}
