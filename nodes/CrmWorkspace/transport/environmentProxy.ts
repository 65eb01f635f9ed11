import { isLoopback, normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';

/** Asks for an address, for so many ms at most. */
type Knock = (url: string, timeout: number) => Promise<unknown>;

/**
 * A port at which nothing listens: those of these numbers were given to nobody. It is drawn, so that
 * no NO_PROXY makes an exception of just this one.
 */
const silentPorts = [4, 6, 8, 10, 12, 14, 16];
const silentPort = silentPorts[Math.floor(Math.random() * silentPorts.length)];

/** How long somebody behind a proxy may keep the answer to that, in ms. */
const patience = 500;

/** Names of this machine of which it is certain that no proxy of n8n's environment is asked. */
const direct = new Set<string>();

/** What is being found out about a name of this machine, or was: n8n's environment stays as it is. */
const looks = new Map<string, Promise<void>>();

/**
 * Finds out whether n8n asks a service on this machine by way of a proxy of its environment, which
 * would read the key of an http:// request. To be called before `pastProxies` is; it asks once for
 * each name of this machine.
 * @param knock asks for an address with n8n's client, without a key, for so many ms at most, and
 * throws what the client throws
 */
export async function lookForProxy(
	credential: CrmWorkspaceCredential,
	knock: Knock,
): Promise<void> {
	const { hostname } = new URL(normalizedBaseUrl(credential));
	if (!isOpenOnThisMachine(credential)) return;
	if (!looks.has(hostname)) looks.set(hostname, look(hostname, knock));
	await looks.get(hostname);
}

async function look(hostname: string, knock: Knock): Promise<void> {
	try {
		await knock(`http://${hostname}:${silentPort}/`, patience);
	} catch (error) {
		// Who gets as far as to the closed door has met no proxy.
		if (wasRefusedAt(silentPort, error)) direct.add(hostname);
	}
}

/**
 * The option of a request that leads it past a proxy of n8n's environment, for a service on this
 * machine that is asked over http://. n8n has no option for "no proxy", so the service is named as
 * its own: it is asked in the form in which proxies are, which every server has to take
 * (RFC 9112, 3.2.2), and only where there may be a proxy. An https:// request is sealed for any.
 */
export function pastProxies(credential: CrmWorkspaceCredential): {
	proxy?: { protocol: string; host: string; port: number };
} {
	const { hostname, port } = new URL(normalizedBaseUrl(credential));
	if (!isOpenOnThisMachine(credential) || direct.has(hostname)) return {};
	return { proxy: { protocol: 'http', host: hostname, port: Number(port || 80) } };
}

function isOpenOnThisMachine(credential: CrmWorkspaceCredential): boolean {
	const { protocol, hostname } = new URL(normalizedBaseUrl(credential));
	return protocol === 'http:' && isLoopback(hostname);
}

interface ConnectError {
	code?: unknown;
	port?: unknown;
	/** One for each address of the host. */
	errors?: ConnectError[];
	/** What n8n's client wraps. */
	cause?: ConnectError;
}

function wasRefusedAt(port: number, error: unknown): boolean {
	const { cause, ...own } = error as ConnectError;
	const errors = [own, cause ?? {}].flatMap((one) => [one, ...(one.errors ?? [])]);
	return errors.some((one) => one.code === 'ECONNREFUSED' && one.port === port);
}
