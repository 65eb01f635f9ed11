import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy on this machine that keeps what it can read. */
export interface RecordingProxy {
	url: string;
	/** All that came through it on the way to the servers, sealed or not. */
	seen(): string;
	/** First line of each request to it, e.g. `CONNECT crm.example.com:443 HTTP/1.1`. */
	requests(): string[];
	stop(): Promise<void>;
}

/** Starts a proxy that lets everything through: tunnels, and requests for http:// addresses. */
export async function startProxy(): Promise<RecordingProxy> {
	const heard: Buffer[][] = [];
	const sockets = new Set<Socket>();
	const keep = (socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => sockets.delete(socket));
	};
	const server = createServer((client) => {
		const chunks: Buffer[] = [];
		heard.push(chunks);
		keep(client);
		client.on('data', (chunk) => chunks.push(chunk));
		client.once('data', (first) => {
			const [, method, target] = /^(\S+) (\S+)/.exec(first.toString('latin1')) ?? [];
			const isTunnel = method === 'CONNECT';
			const { hostname, port } = new URL(isTunnel ? `https://${target}` : target);
			const host = hostname.replace(/^\[|\]$/g, '');
			const upstream = connect(Number(port || (isTunnel ? 443 : 80)), host, () => {
				if (isTunnel) client.write('HTTP/1.1 200 Connected\r\n\r\n');
				else upstream.write(first);
				client.pipe(upstream).pipe(client);
			});
			keep(upstream);
			upstream.on('close', () => client.destroy());
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const texts = () => heard.map((chunks) => Buffer.concat(chunks).toString('latin1'));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seen: () => texts().join('\n'),
		requests: () => texts().map((text) => text.split('\r\n')[0]),
		async stop() {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

/** The environment of an n8n instance that has a proxy for all its requests. */
export function proxied(url: string): Record<string, string> {
	const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
	return Object.fromEntries([...names.map((name) => [name, url]), ['NO_PROXY', '']]);
}
