import { randomInt } from 'node:crypto';
import getPort, { portNumbers } from 'get-port';

/**
 * A port of 127.0.0.1 that nothing listens on, and that this process gives no one else for a while.
 * It is none of those that the system gives to anyone who asks for any: n8n comes back to its port
 * after it was killed, and finds it free.
 * @param preferred the one that it is, if nothing listens on it
 */
export async function freePort(preferred?: number): Promise<number> {
	const others = portNumbers(randomInt(10_000, 31_000), 32_767);
	return await getPort({ host: '127.0.0.1', port: preferred ? [preferred, ...others] : others });
}
