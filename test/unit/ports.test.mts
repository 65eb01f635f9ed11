import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort, portIfFree } from '../../playground/ports.mts';

test('free ports are given once each, also to those who ask at the same time', async () => {
	const ports = await Promise.all(Array.from({ length: 200 }, freePort));
	expect(new Set(ports).size).toBe(200);
	// None is among those that Linux gives to anyone who asks for any.
	expect(Math.max(...ports)).toBeLessThan(32_768);
});

/** Below those that the system gives to anyone who asks for any port, so that no other process takes it in the meantime. */
async function listenBelowEphemeral(): Promise<{ server: Server; port: number }> {
	for (;;) {
		const port = randomInt(20_000, 30_000);
		const server = createServer().listen(port, '127.0.0.1');
		const isListening = await once(server, 'listening').then(
			() => true,
			() => false,
		);
		if (isListening) return { server, port };
	}
}

test('a port that is asked for is given unless something listens on it; 0 is any', async () => {
	const { server, port } = await listenBelowEphemeral();
	expect(await portIfFree(port)).toBeUndefined();
	server.close();
	await once(server, 'close');
	expect(await portIfFree(port)).toBe(port);
	expect(await portIfFree(0)).toBeGreaterThan(0);
});
