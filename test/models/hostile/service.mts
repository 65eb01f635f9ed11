import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { endGuards } from '../harness/clock.mts';
import { bodyOf, pieceText, type Answer, type Filling } from './answers.mts';
import { secretOf } from './keys.mts';

/** A request as it arrived. */
export interface Arrived {
	method: string;
	/** With what stands behind the question mark. */
	target: string;
	head: string;
	body: string;
}

/** What the service does in a case. */
export interface Play {
	answers: Answer[];
	key: string;
	/** The answer that is right, as a value. */
	right(request: Arrived): unknown;
}

/** A contact as it is in an answer. */
export type Contact = Record<string, unknown>;

/** The service, as hostile as a case has it, over real HTTP; and a server that is none of it. */
export class Service {
	readonly port: number;
	readonly #servers: Server[];
	readonly #sockets = new Set<Socket>();
	readonly #strangerPort: number;
	#play: Play | undefined;
	/** Of earlier cases: what was given up there may still be on its way. */
	#earlier: string[] = [];
	arrived: Arrived[] = [];
	/** What came to the server that is none of the service's. */
	strayed: string[] = [];
	answers = new Map<string, number>();

	static async start(): Promise<Service> {
		const servers = [createServer(), createServer()];
		for (const server of servers) {
			server.listen(0, '127.0.0.1');
			await once(server, 'listening');
		}
		return new Service(servers);
	}

	private constructor(servers: Server[]) {
		this.#servers = servers;
		const [service, stranger] = servers;
		this.port = (service.address() as AddressInfo).port;
		this.#strangerPort = (stranger.address() as AddressInfo).port;
		service.on('connection', (socket) => this.#listen(socket));
		stranger.on('connection', (socket) => {
			this.#keep(socket);
			socket.on('data', (bytes) => {
				this.strayed.push(bytes.toString('latin1'));
				socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}');
			});
		});
	}

	get stranger(): string {
		return `http://127.0.0.1:${this.#strangerPort}`;
	}

	begin(play: Play): void {
		for (const socket of this.#sockets) socket.destroy();
		if (this.#play) this.#earlier = [this.#play.key, ...this.#earlier.slice(0, 20)];
		this.#play = play;
		this.arrived = [];
		this.strayed = [];
		this.answers = new Map();
	}

	async stop(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		for (const server of this.#servers) server.close();
	}

	#keep(socket: Socket): void {
		this.#sockets.add(socket);
		socket.on('error', () => undefined);
		socket.on('close', () => this.#sockets.delete(socket));
	}

	#listen(socket: Socket): void {
		this.#keep(socket);
		let chunks: Buffer[] = [];
		let length = 0;
		let needed: number | undefined;
		socket.on('data', (bytes) => {
			// What begins TLS waits for an answer in TLS.
			if (bytes[0] === 0x16) return void socket.destroy();
			chunks.push(bytes);
			length += bytes.length;
			if (needed !== undefined && length < needed) return;
			const all = Buffer.concat(chunks);
			chunks = [all];
			const end = all.indexOf('\r\n\r\n');
			if (end === -1) return;
			const head = all.subarray(0, end).toString('latin1');
			needed = end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
			if (length < needed) return;
			const [method, target] = head.split(' ', 2);
			const body = all.subarray(end + 4, needed).toString('utf8');
			chunks = [all.subarray(needed)];
			length -= needed;
			needed = undefined;
			this.#answer(socket, { method, target, head, body });
		});
	}

	#answer(socket: Socket, request: Arrived): void {
		const play = this.#play;
		const isLate = this.#earlier.some((key) => request.head.includes(secretOf(key)));
		if (!play || isLate) return void socket.destroy();
		const number = this.arrived.push(request) - 1;
		const right = play.right(request);
		const answer = play.answers[number];
		if (!answer) {
			this.#count('as it should be');
			return void socket.write(whole(200, 'OK', [], Buffer.from(JSON.stringify(right))));
		}
		const name = answer.delivery === 'whole' ? `${answer.body.shape}` : answer.delivery;
		this.#count(`${name}`);
		this.#count(`status ${Math.floor(answer.status / 100)}xx`);
		deliver(socket, answer, right, { key: play.key, stranger: this.stranger });
	}

	#count(what: string): void {
		this.answers.set(what, (this.answers.get(what) ?? 0) + 1);
	}
}

function deliver(socket: Socket, answer: Answer, right: unknown, filling: Filling): void {
	const { status, contentType, delivery } = answer;
	const reason = oneLine(pieceText(answer.reason, filling), 2_000);
	const headers = answer.headers.map(
		({ name, value }) => `${name}: ${oneLine(pieceText(value, filling), 6_000)}`,
	);
	if (contentType) headers.push(`Content-Type: ${contentType}`);
	const body = bodyOf(answer.body, right, filling);
	const head = (...more: string[]) =>
		Buffer.from(
			`HTTP/1.1 ${status} ${reason}\r\n${[...headers, ...more].join('\r\n')}\r\n\r\n`,
			'latin1',
		);
	const compressed = (bytes: Buffer, encoding: string) =>
		Buffer.concat([
			head(`Content-Encoding: ${encoding}`, `Content-Length: ${bytes.length}`),
			bytes,
		]);
	switch (delivery) {
		case 'whole':
			return void socket.write(whole(status, reason, headers, body));
		case 'in chunks': {
			const middle = Math.ceil(body.length / 2);
			socket.write(head('Transfer-Encoding: chunked'));
			for (const part of [body.subarray(0, middle), body.subarray(middle)]) {
				if (part.length === 0) continue;
				socket.write(`${part.length.toString(16)}\r\n`);
				socket.write(part);
				socket.write('\r\n');
			}
			return void socket.write('0\r\n\r\n');
		}
		case 'compressed':
			return void socket.write(compressed(gzipSync(body), 'gzip'));
		case 'compressed otherwise':
			return void socket.write(compressed(brotliCompressSync(body.subarray(0, 10_000)), 'br'));
		case 'half compressed':
			return void socket.end(compressed(gzipSync(body).subarray(0, -9), 'gzip'));
		case 'in two parts': {
			const all = whole(status, reason, headers, body);
			socket.write(all.subarray(0, -1));
			return void setImmediate(() => socket.write(all.subarray(-1)));
		}
		case 'cut off':
			return void socket.end(Buffer.concat([head(`Content-Length: ${body.length + 10}`), body]));
		case 'stalled':
			socket.write(Buffer.concat([head(`Content-Length: ${body.length + 10}`), body]));
			return soon(endGuards);
		case 'silent':
			return soon(endGuards);
		case 'reset':
			return void socket.resetAndDestroy();
		case 'no HTTP':
			return void socket.end(body);
		case 'many headers':
			headers.push(...Array.from({ length: 900 }, (_, index) => `X-Header-${index}: ${index}`));
			return void socket.write(whole(status, reason, headers, body));
	}
}

/** When what was written has been read. */
function soon(what: () => void): void {
	setTimeout(what, 5);
}

function whole(status: number, reason: string, headers: string[], body: Buffer): Buffer {
	const hasNone = status === 204 || status === 304;
	const lines = [
		`HTTP/1.1 ${status} ${reason}`,
		...headers,
		...(hasNone ? [] : [`Content-Length: ${body.length}`]),
	];
	const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
	return hasNone ? head : Buffer.concat([head, body]);
}

/** What fits into a line of the head. */
function oneLine(text: string, most: number): string {
	return Buffer.from(
		text.slice(0, most).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' '),
		'latin1',
	).toString('latin1');
}
