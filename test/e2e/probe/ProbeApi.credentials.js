/** Adds what it's given as headers. For `canaries.test.mts`. */
exports.ProbeApi = class {
	name = 'probeApi';

	displayName = 'Probe API';

	properties = [{ displayName: 'Secret', name: 'secret', type: 'string', default: '' }];

	authenticate = async (credential, options) => {
		const { secret } = credential;
		if (secret === 'refused') throw new Error('The probe refuses this request');
		const mark = String(credential[Symbol.for('probe')]);
		return { ...options, headers: { ...options.headers, 'x-secret': secret, 'x-mark': mark } };
	};
};
