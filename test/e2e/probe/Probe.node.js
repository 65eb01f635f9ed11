/** Runs code of a test within n8n, with n8n's context of the node. For `canaries.test.mts`. */
const n8n = require('n8n-workflow');

const ids = new WeakMap();
let count = 0;

/** A number for an object: the same one whenever it's the same object. */
function idOf(object) {
	if (!ids.has(object)) ids.set(object, ++count);
	return ids.get(object);
}

const parameter = (name) => ({ displayName: name, name, type: 'string', default: '' });

exports.Probe = class {
	description = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1,
		description: 'Runs code of a test',
		defaults: { name: 'Probe' },
		inputs: ['main'],
		outputs: ['main'],
		usableAsTool: true,
		credentials: [{ name: 'probeApi', required: false }],
		properties: [parameter('code'), parameter('text'), parameter('url')],
	};

	async execute() {
		const code = (0, eval)(`(${this.getNodeParameter('code', 0)})`);
		const result = await code(this, n8n, idOf);
		return [result?.[0]?.json ? result : [{ json: { result } }]];
	}
};
