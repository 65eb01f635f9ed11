import { randomInt } from 'node:crypto';
import getPort, { portNumbers } from 'get-port';

/**
 * A port of 127.0.0.1 that nothing listens on, and that this process gives no one else for a while.
 * It is none of those that the system gives to anyone who asks for any: n8n comes back to its port
 * after it was killed, and finds it free.
 */
export async function freePort(): Promise<number> {
	return await getPort({ host: '127.0.0.1', port: portNumbers(randomInt(10_000, 31_000), 32_767) });
}

/**
 * The port that is asked for; any free one for 0.
 * @returns undefined when something listens on it
 */
export async function portIfFree(port: number): Promise<number | undefined> {
	const free = await getPort({ host: '127.0.0.1', port });
	return port === 0 || free === port ? free : undefined;
}
