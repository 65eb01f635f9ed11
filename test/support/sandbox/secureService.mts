import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

export interface SecureService {
	baseUrl: string;
	certificate: string;
	/** All that it was asked, headers included. */
	seen(): string;
	stop(): Promise<void>;
}

/** A service that shows a certificate of its own making and answers with one contact. */
export async function startSecureService(): Promise<SecureService> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
		],
	});
	const seen: string[] = [];
	const server = createServer({ key, cert }, (request, response) => {
		seen.push(request.rawHeaders.join(' '));
		response.setHeader('content-type', 'application/json');
		response.end('{"data":[{"id":"1","email":"ada@example.com"}]}');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		baseUrl: `https://localhost:${(server.address() as AddressInfo).port}/api/v1`,
		certificate: cert,
		seen: () => seen.join('\n'),
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
