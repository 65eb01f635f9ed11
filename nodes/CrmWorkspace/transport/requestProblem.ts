import {
	normalizedBaseUrl,
	parsedUrl,
	withoutSlashesAtEnd,
	type CrmWorkspaceCredential,
} from './credential';

/**
 * What a request may bring along that has to do with where it goes and with the key. n8n has two
 * helpers with options of their own; its HTTP Request node uses the older one.
 */
export interface RequestOptions {
	url?: string | null;
	/** The older helper's name of `url`, which counts first there too. */
	uri?: string | null;
	baseURL?: string | null;
	method?: string;
	headers?: unknown;
	auth?: unknown;
	proxy?: unknown;
	agentOptions?: unknown;
	rejectUnauthorized?: unknown;
	strictSSL?: unknown;
	skipSslCertificateValidation?: unknown;
}

/** Options by which a request would go another way than n8n's own. */
const ways = [
	'adapter',
	'agent',
	'agentClass',
	'agents',
	'beforeRedirect',
	'createConnection',
	'dispatcher',
	'host',
	'hostname',
	'httpAgent',
	'httpsAgent',
	'localAddress',
	'lookup',
	'port',
	'socketPath',
	'transport',
	'tunnel',
];

/** Settings of a connection that keep it where it was: n8n's "SSL Certificates", and checking them. */
const harmless = ['ca', 'cert', 'key', 'passphrase', 'rejectUnauthorized'];

/**
 * Says in words why a request must not be made with a credential: because it would show the key to
 * somebody else than the service, or to somebody who has not proven to be the service. Returns
 * undefined when nothing is wrong.
 */
export function requestProblem(
	options: RequestOptions,
	credential: CrmWorkspaceCredential,
): string | undefined {
	return (
		addressProblem(requestedUrl(options), credential) ??
		proxyProblem(options) ??
		certificateProblem(options, credential) ??
		wayProblem(options) ??
		headerProblem(options) ??
		methodProblem(options)
	);
}

/** The address of a request in its one normal form; undefined for what is none. */
export function requestedUrl({ url, uri, baseURL }: RequestOptions): URL | undefined {
	const address = String(url ?? uri ?? '');
	return (
		parsedUrl(address) ??
		parsedUrl(`${withoutSlashesAtEnd(String(baseURL ?? ''))}/${address.replace(/^\/+/, '')}`)
	);
}

function addressProblem(
	target: URL | undefined,
	credential: CrmWorkspaceCredential,
): string | undefined {
	const { protocol, host } = new URL(normalizedBaseUrl(credential));
	if (target?.protocol !== protocol || target.host !== host) {
		return `This credential is only for ${host}, not for the address of this request. Check that it begins with ${protocol}//${host}`;
	}
	if (target.username || target.password) {
		return 'The address of this request contains a user name or password, which would take the place of the API key. Remove them';
	}
	return undefined;
}

function proxyProblem({ proxy }: RequestOptions): string | undefined {
	return proxy
		? 'This request names a proxy, which could read the API key. Remove the option Proxy. A proxy for all of n8n is set in its environment'
		: undefined;
}

function certificateProblem(
	{ rejectUnauthorized, strictSSL, skipSslCertificateValidation, agentOptions }: RequestOptions,
	credential: CrmWorkspaceCredential,
): string | undefined {
	const isChecked = [rejectUnauthorized, strictSSL, entriesOf(agentOptions).rejectUnauthorized];
	if (!isChecked.includes(false) && !skipSslCertificateValidation) return undefined;
	const { host } = new URL(normalizedBaseUrl(credential));
	return `This request does not check the certificate of ${host}, so that others could pass for it and get the API key. Switch off the option Ignore SSL Issues. If the service has a certificate of its own, let n8n trust it (NODE_EXTRA_CA_CERTS)`;
}

function wayProblem(options: RequestOptions): string | undefined {
	const agentOptions = entriesOf(options.agentOptions);
	const own = [
		...ways.filter((name) => isSet(entriesOf(options)[name])),
		...Object.keys(agentOptions)
			.filter((name) => isSet(agentOptions[name]) && !harmless.includes(name))
			.map((name) => `agentOptions.${name}`),
	];
	if (own.length === 0) return undefined;
	return `This request chooses its connection itself (${own[0]}), which could lead the API key elsewhere. Remove that option`;
}

function headerProblem({ headers, auth }: RequestOptions): string | undefined {
	const names = headerNames(headers);
	if (names.includes('host')) {
		return 'This request has a header Host, by which the API key could get to another service at the same address. Remove it: n8n sets the right one';
	}
	const own = names.find((name) => name === 'authorization' || name === 'x-api-key');
	if (!own && !isSet(auth)) return undefined;
	return `This request brings ${own ? `a header ${own}` : 'a login'} of its own beside the API key. Remove it: the credential sets what the service needs`;
}

/** Some answer these by repeating the headers, or pass everything on. */
function methodProblem({ method }: RequestOptions): string | undefined {
	const isUnfit = ['TRACE', 'TRACK', 'CONNECT'].includes(String(method).trim().toUpperCase());
	return isUnfit
		? `This credential is not for the method ${method}, which could show the API key. Choose another one`
		: undefined;
}

/** In small letters. n8n's HTTP client takes groups of headers too, such as those of one method. */
function headerNames(headers: unknown): string[] {
	const groups = [headers, ...Object.values(entriesOf(headers))];
	return groups
		.flatMap((group) => Object.keys(entriesOf(group)))
		.map((name) => name.trim().toLowerCase());
}

function entriesOf(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isSet(value: unknown): boolean {
	return value !== undefined && value !== null && value !== false;
}
