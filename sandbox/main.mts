import { parseArgs } from 'node:util';

import { defaultOptions, startSandbox, type Sandbox, type SandboxOptions } from './index.mts';
import { checkVariants, parseVariant, UnknownVariantError } from './variants.mts';
import { realMail, type Relay } from './service/delivery.mts';

const usage = `Usage: node sandbox/main.mts [options]
  --port 8787                 0 for any free port
  --database FILE             in memory unless given
  --seed 1                    everything is derived from this number
  --contacts 40               contacts of each workspace
  --variant name=value        take one variant (repeatable)
  --variants '{"name":…}'     take several
  --requests-per-minute 60    0 for no limit
  --smtp smtp://host:port     deliver to a real SMTP server as well, wants --smtp-to
  --smtp-to example.com       for this address or domain only (repeatable)
  --latency 0                 milliseconds added to every request`;

/** Something on the command line that cannot be. */
class UsageError extends Error {}

try {
	const options = optionsFrom(process.argv.slice(2));
	const sandbox = await startSandbox(options);
	stopWhenAsked(sandbox);
	introduce(sandbox, options);
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
			smtp: text,
			'smtp-to': { type: 'string', multiple: true },
			latency: text,
		},
	});
	const { port, seed, contacts, requestsPerMinute, latency, database } = defaultOptions;
	return {
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
		relay: relayFrom(values.smtp, values['smtp-to']),
		variants: {
			...checkVariants(jsonFrom(values.variants ?? '{}')),
			...Object.assign({}, ...(values.variant ?? []).map(parseVariant)),
		},
	} satisfies SandboxOptions;
}

/** Mail that leaves the sandbox reaches real people: each of them is named, or each domain. */
function relayFrom(server: string | undefined, recipients: string[] = []): Relay | undefined {
	if (server === undefined && recipients.length === 0) return undefined;
	if (server === undefined) throw new UsageError('--smtp-to wants --smtp with a server');
	if (!/^smtps?:$/.test(URL.parse(server)?.protocol ?? '')) {
		throw new UsageError('--smtp must look like smtp://host:port');
	}
	if (recipients.length === 0) {
		throw new UsageError(
			'--smtp wants --smtp-to: the address or domain for which mail is delivered',
		);
	}
	return { server, recipients };
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
	{ requestsPerMinute, relay }: ReturnType<typeof optionsFrom>,
): void {
	const { baseUrl, controlUrl, testKey, liveKey } = introduction;
	console.log(
		[
			`Base URL            ${baseUrl}`,
			`Test key            ${testKey}`,
			`Live key            ${liveKey}`,
			`Inbox and controls  ${controlUrl}`,
			`Rate limit          ${requestsPerMinute || 'no'} requests per minute per key`,
			`Real mail           ${realMail(relay) ?? 'none: messages go to the inbox only'}`,
		].join('\n'),
	);
	process.send?.(introduction);
}

/** Anyone who started the sandbox over IPC takes it along when it ends. */
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
