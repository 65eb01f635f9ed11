import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut, as if that server were down. */
export class Link {
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();
	#port = 0;

	private constructor(host: string, port: number) {
		this.#server = createServer((client) => {
			const upstream = connect(port, host);
			for (const [socket, other] of [
				[client, upstream],
				[upstream, client],
			]) {
				this.#sockets.add(socket);
				socket.on('error', () => socket.destroy());
				socket.on('close', () => {
					this.#sockets.delete(socket);
					other.destroy();
				});
				socket.pipe(other);
			}
		});
	}

	/** Opens a port of this machine that leads to the server. */
	static async to(host: string, port: number): Promise<Link> {
		const link = new Link(host, port);
		await link.mend();
		return link;
	}

	get port(): number {
		return this.#port;
	}

	/** Ends every connection, and refuses new ones. */
	async cut(): Promise<void> {
		if (!this.#server.listening) return;
		this.#server.close();
		for (const socket of this.#sockets) socket.destroy();
		await once(this.#server, 'close');
	}

	/** Takes connections again, on the same port. */
	async mend(): Promise<void> {
		this.#server.listen(this.#port, '127.0.0.1');
		await once(this.#server, 'listening');
		this.#port = (this.#server.address() as AddressInfo).port;
	}
}
