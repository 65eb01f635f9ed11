import { isLoopback, normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';

/**
 * Requests an address with n8n's client and no key; throws what the client throws. Timeout in ms.
 */
type TryToConnect = (url: string, timeout: number) => Promise<unknown>;

/**
 * A port at which nothing listens: these numbers are unassigned. It is chosen at random, so that no
 * NO_PROXY names exactly this one.
 */
const silentPorts = [4, 6, 8, 10, 12, 14, 16];
const silentPort = silentPorts[Math.floor(Math.random() * silentPorts.length)];

/** How long to wait for an answer of that port, in ms: behind a proxy there may be one. */
const patience = 500;

/** Host names of this machine that n8n's client certainly reaches without a proxy. */
const direct = new Set<string>();

/** The checks by host name, finished ones too: n8n's environment variables do not change. */
const looks = new Map<string, Promise<void>>();

/**
 * Finds out whether n8n's client goes through a proxy of its environment to reach a service on this
 * machine: the proxy could read the key of an http:// request. Has to be called before
 * `pastProxies`. Checks each host name of this machine once.
 * @param tryToConnect requests an address: see the type
 */
export async function lookForProxy(
	credential: CrmWorkspaceCredential,
	tryToConnect: TryToConnect,
): Promise<void> {
	const { hostname } = new URL(normalizedBaseUrl(credential));
	if (!isOpenOnThisMachine(credential)) return;
	if (!looks.has(hostname)) looks.set(hostname, look(hostname, tryToConnect));
	await looks.get(hostname);
}

async function look(hostname: string, tryToConnect: TryToConnect): Promise<void> {
	try {
		await tryToConnect(`http://${hostname}:${silentPort}/`, patience);
	} catch (error) {
		// The port itself refused the connection, so there was no proxy in between.
		if (wasRefusedAt(silentPort, error)) direct.add(hostname);
	}
}

/**
 * The request option that bypasses a proxy of n8n's environment, for a service on this machine that
 * is called over http://. n8n has no option for "no proxy", so the service itself is named as the
 * proxy: it then gets the absolute form of the address, which every server has to accept (RFC 9112,
 * 3.2.2). Empty where there is certainly no proxy, and for https://, which no proxy can read.
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
