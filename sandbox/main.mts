import { parseArgs } from 'node:util';

import { defaultOptions, startSandbox, type Sandbox, type SandboxOptions } from './index.mts';
import {
	checkVariants,
	parseVariant,
	UnknownVariantError,
	variantDefinitions,
	variantNames,
} from './variants.mts';

const usage = `Usage: node sandbox/main.mts [options]
  --port 8787                 0 for any free port
  --database FILE             in memory unless given
  --seed 1                    data, IDs and keys derive from it
  --contacts 40               contacts per workspace
  --variant name=value        sets a variant (repeatable)
  --variants '{"name":…}'     sets several variants
  --requests-per-minute 60    0 for no limit
  --latency 0                 milliseconds added to every request
  --help                      also lists all variants`;

/** An invalid command line. */
class UsageError extends Error {}

try {
	const { help, ...options } = optionsFrom(process.argv.slice(2));
	if (help) console.log(`${usage}\n\n${variantHelp()}`);
	else {
		const sandbox = await startSandbox(options);
		stopWhenAsked(sandbox);
		introduce(sandbox, options);
	}
} catch (error) {
	console.error(explanation(error as NodeJS.ErrnoException));
	process.exitCode = 1;
}

function optionsFrom(args: string[]) {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		args,
		options: {
			port: text,
			database: text,
			seed: text,
			contacts: text,
			variant: { type: 'string', multiple: true },
			variants: text,
			'requests-per-minute': text,
			latency: text,
			help: { type: 'boolean', default: false },
		},
	});
	const { port, seed, contacts, requestsPerMinute, latency, database } = defaultOptions;
	return {
		help: values.help,
		port: wholeNumber('port', values.port, port),
		database: values.database ?? database,
		seed: wholeNumber('seed', values.seed, seed),
		contacts: wholeNumber('contacts', values.contacts, contacts),
		requestsPerMinute: wholeNumber(
			'requests-per-minute',
			values['requests-per-minute'],
			requestsPerMinute,
		),
		latency: wholeNumber('latency', values.latency, latency),
		variants: {
			...checkVariants(jsonFrom(values.variants ?? '{}')),
			...Object.assign({}, ...(values.variant ?? []).map(parseVariant)),
		},
	} satisfies SandboxOptions & { help: boolean };
}

/** Each variant with its values, the default first, and what it changes. */
function variantHelp(): string {
	const entries = variantNames.map((name) => {
		const { allowed, meaning } = variantDefinitions[name];
		return `  ${name}: ${allowed.join(', ')}\n    ${meaning}`;
	});
	return ['Variants, each with its default first:', ...entries].join('\n');
}

function wholeNumber(name: string, given: string | undefined, otherwise: number): number {
	if (given === undefined) return otherwise;
	if (/^\d{1,9}$/.test(given)) return Number(given);
	throw new UsageError(`--${name} must be a whole number, not '${given}'`);
}

function jsonFrom(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new UsageError('--variants must be JSON');
	}
}

function introduce(
	{ stop: _stop, ...introduction }: Sandbox,
	{ requestsPerMinute }: SandboxOptions,
): void {
	const { baseUrl, controlUrl, testKey, liveKey } = introduction;
	console.log(
		[
			`Base URL            ${baseUrl}`,
			`Test key            ${testKey}`,
			`Live key            ${liveKey}`,
			`Inbox and controls  ${controlUrl}`,
			`Rate limit          ${requestsPerMinute || 'no'} requests per minute per key`,
		].join('\n'),
	);
	process.send?.(introduction);
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

function explanation(error: NodeJS.ErrnoException): string {
	if (error.code === 'EADDRINUSE') return `${error.message}: choose another one with --port`;
	const ofTheCaller = error instanceof UsageError || error instanceof UnknownVariantError;
	if (ofTheCaller || error.code?.startsWith('ERR_PARSE_ARGS')) return `${error.message}\n${usage}`;
	return `The sandbox could not start: ${error.message}`;
}
