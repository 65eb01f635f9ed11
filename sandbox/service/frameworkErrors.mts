import { STATUS_CODES } from 'node:http';

/** An error as the frameworks that services are made with would answer it. */
export interface FrameworkError {
	status: number;
	code: string | undefined;
	message: string;
	/** Code and message in one text. */
	line: string;
}

/** One shape for invalid requests, and one for all other errors. */
interface Shapes {
	invalid(error: FrameworkError): object;
	other(error: FrameworkError): object;
}

const phrase = (status: number) => STATUS_CODES[status] ?? 'Error';
const traceId = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

const frameworks = {
	nest: {
		invalid: ({ status, code, message }) => ({
			statusCode: status,
			message: [message],
			error: phrase(status),
			code,
		}),
		other: ({ status, code, message }) => ({
			statusCode: status,
			message,
			error: phrase(status),
			code,
		}),
	},
	fastApi: {
		invalid: ({ line }) => ({
			detail: [{ type: 'value_error', loc: ['body'], msg: line, input: {} }],
		}),
		other: ({ code, message }) => ({ detail: code ? { code, message } : message }),
	},
	spring: {
		invalid: ({ status, code, message }) => ({
			timestamp: '2026-01-15T12:00:00.000+00:00',
			status,
			error: phrase(status),
			message: "Validation failed for object='request'. Error count: 1",
			errors: [
				{ codes: ['Rule.request', 'Rule'], defaultMessage: message, objectName: 'request', code },
			],
			path: '/api/v1',
		}),
		other: ({ status, code, message }) => ({
			timestamp: '2026-01-15T12:00:00.000+00:00',
			status,
			error: phrase(status),
			message,
			path: '/api/v1',
			code,
		}),
	},
	rails: {
		invalid: ({ line }) => ({ base: [line] }),
		other: ({ status, line }) => ({ status, error: line }),
	},
	laravel: {
		invalid: ({ code, message }) => ({ message, errors: { request: [message] }, code }),
		other: ({ code, message }) => ({ message, code }),
	},
	aspNet: {
		invalid: ({ status, code, message }) => ({
			type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
			title: 'One or more validation errors occurred.',
			status,
			errors: { '': [message] },
			traceId,
			code,
		}),
		other: ({ status, code, message }) => ({
			type: 'https://tools.ietf.org/html/rfc9110#section-15.5',
			title: phrase(status),
			status,
			detail: message,
			traceId,
			code,
		}),
	},
} satisfies Record<string, Shapes>;

/** The name of a framework. */
export type Framework = keyof typeof frameworks;

/** The JSON body in which a framework answers an error. */
export function frameworkBody(framework: Framework, error: FrameworkError): object {
	const isInvalid = error.status === 400 || error.status === 422;
	return frameworks[framework][isInvalid ? 'invalid' : 'other'](error);
}
