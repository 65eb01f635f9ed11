/** Runs code of a test within n8n, with n8n's context of the node. For `canaries.test.mts`. */
const n8n = require('n8n-workflow');

const objects = [];

/** A number for an object: the same one whenever it's the same object. */
const idOf = (object) => {
	if (!objects.includes(object)) objects.push(object);
	return objects.indexOf(object);
};

/** Sends a request with the probe's credential. @param data in place of what the credential has */
const send = async (context, request, data) => {
	const credentialsDecrypted = data && { id: '', name: '', type: 'probeApi', data };
	const options = data && { credentialsDecrypted };
	const { httpRequestWithAuthentication } = context.helpers;
	return await httpRequestWithAuthentication.call(context, 'probeApi', request, options);
};

/** The codes of network errors in an error and its causes. */
const codesOf = (error) => {
	const codes = [];
	for (; error; error = error.cause) codes.push(error.code, error.httpCode);
	return codes.filter((code) => /^[A-Z][A-Z_]+$/.test(code));
};

const parameter = (name) => ({ displayName: name, name, type: 'string', default: '' });

exports.Probe = class {
	description = {
		...{ displayName: 'Probe', name: 'probe', version: 1, group: ['transform'] },
		...{ description: 'Runs code', defaults: { name: 'Probe' }, usableAsTool: true },
		...{ inputs: ['main'], outputs: ['main'], credentials: [{ name: 'probeApi' }] },
		properties: ['code', 'text', 'url'].map(parameter),
	};

	async execute() {
		const code = (0, eval)(`(${this.getNodeParameter('code', 0)})`);
		const url = this.getNodeParameter('url', 0);
		const result = await code(this, { n8n, idOf, send, codesOf, url });
		return [result?.[0]?.json ? result : [{ json: { result } }]];
	}
};
