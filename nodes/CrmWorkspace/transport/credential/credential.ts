/**
 * The credential: which ones are refused before anything is sent, who may use one, and how the API
 * key is kept out of all that we say. Pure but for `read.ts`, which asks n8n for it.
 */
import { withoutInvisible } from '../../text/invisible';

/** What the "CRM Workspace API" credential stores. */
export interface CrmWorkspaceCredential {
	/**
	 * Address of the service including its version segment, with or without a trailing slash.
	 * Interface: HTTP-2, HTTP-3, OPEN-19.
	 */
	baseUrl: string;
	/** Which data the key is meant to address. */
	mode: 'test' | 'live';
	/** Secret: `sk_test_…` or `sk_live_…`. Interface: AUTH-4, AUTH-5. */
	apiKey: string;
	/** Which of the two headers of the interface carries the key. Interface: AUTH-2, AUTH-3. */
	authHeader: 'authorization' | 'xApiKey';
	/** Requests per minute that the service allows this key. Interface: LIMIT-1. */
	requestsPerMinute: number;
	/** How many n8n processes use the key; absent in credentials saved before it could be said. */
	processes?: number;
}

const keyPrefix = { test: 'sk_test_', live: 'sk_live_' } as const;

/** In characters. */
export const maxKeyLength = 500;

const modeLabel = { test: 'Test', live: 'Live' } as const;

/**
 * Says in words why a credential must not be used, without ever showing the key.
 * Returns undefined when nothing is wrong. Sends nothing.
 */
export function credentialProblem(credential: CrmWorkspaceCredential): string | undefined {
	return (
		baseUrlProblem(credential) ??
		apiKeyProblem(credential) ??
		headerProblem(credential) ??
		countProblem('Requests per Minute', credential.requestsPerMinute) ??
		countProblem('n8n Processes', credential.processes ?? 1) ??
		allowanceProblem(credential)
	);
}

/**
 * The base URL as it was meant, in the one form that all clients read alike, without slashes at its
 * end.
 */
export function normalizedBaseUrl(credential: CrmWorkspaceCredential): string {
	const text = withoutInvisible(credential.baseUrl);
	const url = parsedUrl(text);
	return withoutSlashesAtEnd(url ? `${url.origin}${url.pathname}` : text);
}

export function withoutSlashesAtEnd(address: string): string {
	// The lookbehind keeps the time linear: without it, the search would begin at each slash again.
	return address.replace(/(?<!\/)\/+$/, '');
}

/**
 * The one header that carries the key. White space around a pasted key is left out.
 * Interface: AUTH-1, AUTH-2, AUTH-3.
 */
export function authenticationHeader(credential: CrmWorkspaceCredential): Record<string, string> {
	const apiKey = credential.apiKey.trim();
	return credential.authHeader === 'xApiKey'
		? { 'X-API-Key': apiKey }
		: { Authorization: `Bearer ${apiKey}` };
}

/**
 * The service that a credential names: one text however its address is written. All names of this
 * machine are one.
 */
export function serviceOf(credential: CrmWorkspaceCredential): string {
	const { protocol, hostname, port } = new URL(normalizedBaseUrl(credential));
	return `${protocol}//${isLoopback(hostname) ? 'localhost' : hostname.replace(/\.$/, '')}:${port}`;
}

export function hostOf(credential: CrmWorkspaceCredential): string {
	return new URL(normalizedBaseUrl(credential)).host;
}

function baseUrlProblem({ baseUrl, mode }: CrmWorkspaceCredential): string | undefined {
	const text = withoutInvisible(textOrEmpty(baseUrl));
	if (text === '') {
		return 'Base URL is missing in the credential. Enter the address of the service with its version segment, e.g. https://crm.example.com/api/v1';
	}
	const url = parsedUrl(text);
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		return 'Base URL in the credential is not a web address. It has to look like https://crm.example.com/api/v1';
	}
	if (url.username || url.password || /[?#]/.test(text)) {
		return 'Base URL in the credential must be only the address of the service: no user name, no password and nothing after ? or #';
	}
	if (url.protocol === 'http:' && mode === 'live' && !isLoopback(url.hostname)) {
		return 'Base URL in the credential begins with http://, which would send a live key unencrypted. Use https://';
	}
	return undefined;
}

function apiKeyProblem({ apiKey, mode }: CrmWorkspaceCredential): string | undefined {
	const key = textOrEmpty(apiKey).trim();
	if (key === '') {
		return 'API Key is missing in the credential. Copy it from the service';
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		return 'API Key in the credential contains white space or characters that no key has. Copy it again from the service';
	}
	if (key.length > maxKeyLength) {
		return 'API Key in the credential is longer than any key. Copy it again from the service';
	}
	if (mode !== 'test' && mode !== 'live') {
		return 'Mode in the credential has to be Test or Live';
	}
	if (key === keyPrefix[mode]) {
		return `API Key in the credential is only the beginning that all keys share, ${key}. Copy the whole key from the service`;
	}
	if (key.startsWith(keyPrefix[mode])) return undefined;

	const other = mode === 'test' ? 'live' : 'test';
	return key.startsWith(keyPrefix[other])
		? `The credential says Mode: ${modeLabel[mode]}, but its API key is a ${other} key (it begins with ${keyPrefix[other]}). Use a key that begins with ${keyPrefix[mode]}, or set Mode to ${modeLabel[other]}`
		: `API Key in the credential begins with neither ${keyPrefix.test} nor ${keyPrefix.live}, so it is no key of this service. Copy the key again from the service`;
}

function headerProblem({
	authHeader = 'authorization',
}: CrmWorkspaceCredential): string | undefined {
	return authHeader === 'authorization' || authHeader === 'xApiKey'
		? undefined
		: 'Authentication Header in the credential has to be Authorization: Bearer or X-API-Key';
}

/** The text of a field; empty for anything else, which an expression may have given. */
function textOrEmpty(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function countProblem(name: string, count: unknown): string | undefined {
	return Number.isFinite(count) && Number(count) >= 1
		? undefined
		: `${name} in the credential has to be a number of at least 1`;
}

function allowanceProblem({
	requestsPerMinute,
	processes = 1,
}: CrmWorkspaceCredential): string | undefined {
	return processes <= requestsPerMinute
		? undefined
		: `The credential has more n8n Processes (${processes}) than Requests per Minute (${requestsPerMinute}), so there is not one request a minute for each`;
}

/**
 * The allowance of this process, in requests per minute: its part of what the service allows the
 * key. Rounded down, so that all processes together stay within it, but at least 1.
 */
export function allowanceOf({ requestsPerMinute, processes = 1 }: CrmWorkspaceCredential): number {
	return Math.max(1, Math.floor(requestsPerMinute / processes));
}

/**
 * Whether a host name, as `URL` writes it, is this machine. 0.0.0.0 counts: a connection to it goes
 * to this machine.
 */
export function isLoopback(hostname: string): boolean {
	return /^(localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(
		hostname,
	);
}

export function parsedUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}
