import { parseOptions, refuse } from '../tools/options.mts';
import { defaultOptions, startSandbox, type Sandbox, type SandboxOptions } from './index.mts';
import { parseVariant, variantDefinitions, variantNames } from './variants.mts';

const { port, seed, contacts, requestsPerMinute, latency } = defaultOptions;
const { values } = parseOptions(
	'sandbox',
	{
		port: { type: 'string', default: String(port), meaning: '0 for any free port' },
		seed: { type: 'string', default: String(seed), meaning: 'data, IDs and keys derive from it' },
		contacts: { type: 'string', default: String(contacts), meaning: 'contacts per workspace' },
		variant: { type: 'string', multiple: true, meaning: 'name=value, and again for another one' },
		'requests-per-minute': {
			type: 'string',
			default: String(requestsPerMinute),
			meaning: 'per key, 0 for no limit',
		},
		latency: {
			type: 'string',
			default: String(latency),
			meaning: 'milliseconds added to every request',
		},
	},
	{ notes: ['', variantHelp()] },
);
const options = {
	port: wholeNumber('port'),
	seed: wholeNumber('seed'),
	contacts: wholeNumber('contacts'),
	requestsPerMinute: wholeNumber('requests-per-minute'),
	latency: wholeNumber('latency'),
	variants: Object.assign({}, ...(values.variant ?? []).map(variant)),
} satisfies SandboxOptions;

try {
	const sandbox = await startSandbox(options);
	stopWhenAsked(sandbox);
	introduce(sandbox);
} catch (error) {
	const { code, message } = error as NodeJS.ErrnoException;
	if (code === 'EADDRINUSE') console.error(`${message}: choose another one with --port`);
	else console.error(`The sandbox could not start: ${message}`);
	process.exitCode = 1;
}

function variant(assignment: string) {
	return parseVariant(assignment) ?? refuse(`There is no variant '${assignment}'`);
}

/** Each variant with its values, the default first, and what it changes. */
function variantHelp(): string {
	const entries = variantNames.map((name) => {
		const { allowed, meaning } = variantDefinitions[name];
		return `  ${name}: ${allowed.join(', ')}\n    ${meaning}`;
	});
	return ['Variants, each with its default first:', ...entries].join('\n');
}

function wholeNumber(
	name: 'port' | 'seed' | 'contacts' | 'requests-per-minute' | 'latency',
): number {
	if (!/^\d{1,9}$/.test(values[name])) {
		refuse(`--${name} must be a whole number, not '${values[name]}'`);
	}
	return Number(values[name]);
}

function introduce({ baseUrl, controlUrl, testKey, liveKey }: Sandbox): void {
	console.log(
		[
			`Base URL            ${baseUrl}`,
			`Test key            ${testKey}`,
			`Live key            ${liveKey}`,
			`Inbox and controls  ${controlUrl}`,
			`Rate limit          ${options.requestsPerMinute || 'no'} requests per minute per key`,
		].join('\n'),
	);
	process.send?.({ baseUrl, controlUrl, testKey, liveKey });
}

/** A sandbox that was forked ends with its parent process. */
function stopWhenAsked(sandbox: Sandbox): void {
	let stopping = false;
	const stop = async () => {
		if (stopping) return;
		stopping = true;
		await sandbox.stop();
		process.exit();
	};
	process.once('SIGTERM', stop);
	process.once('SIGINT', stop);
	process.once('disconnect', stop);
}
