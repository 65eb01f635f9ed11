import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort, portIfFree } from '../../playground/ports.mts';

test('free ports are given once each, also to those who ask at the same time', async () => {
	const ports = await Promise.all(Array.from({ length: 200 }, freePort));
	expect(new Set(ports).size).toBe(200);
});

test('a port that is asked for is given unless something listens on it; 0 is any', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	expect(await portIfFree(port)).toBeUndefined();
	server.close();
	await once(server, 'close');
	expect(await portIfFree(port)).toBe(port);
	expect(await portIfFree(0)).toBeGreaterThan(0);
});
