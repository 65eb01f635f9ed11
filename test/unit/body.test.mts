import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { BodyTooLarge, readBody } from '../../nodes/CrmWorkspace/transport/body';

const megabyte = 1024 * 1024;

/** Reads chunks as a body; how much room was asked for, and how many chunks were taken. */
async function read(
	chunks: Iterable<Buffer>,
	{ isError = false, cancel = new AbortController().signal } = {},
) {
	const rooms: number[] = [];
	let taken = 0;
	const counted = function* () {
		for (const chunk of chunks) {
			taken++;
			yield chunk;
		}
	};
	const body = Readable.from(counted(), { highWaterMark: 1 }) as AsyncIterable<Buffer> & Readable;
	const makeRoom = async (bytes: number) => void rooms.push(bytes);
	const text = await readBody(body, { isError, cancel, makeRoom });
	return { text, rooms, taken, body };
}

const repeated = (chunk: Buffer, times: number) => Array.from({ length: times }, () => chunk);

test('a body is text, whatever its chunks are', async () => {
	const bytes = Buffer.from('{"name":"żółć"}');
	expect((await read([...bytes].map((byte) => Buffer.from([byte])))).text).toBe('{"name":"żółć"}');
	expect((await read([])).text).toBe('');
});

describe('of an error', () => {
	test('the beginning is read, and nothing after it is taken', async () => {
		const { text, taken, body } = await read(repeated(Buffer.alloc(10_000, 'x'), 100), {
			isError: true,
		});
		expect(text).toBe('x'.repeat(64 * 1024));
		expect(taken).toBeLessThan(10);
		expect(body.destroyed).toBe(true);
	});

	test('all is read where that is less', async () => {
		expect((await read([Buffer.from('a'), Buffer.from('b')], { isError: true })).text).toBe('ab');
	});
});

describe('room is asked for', () => {
	test('before more than a megabyte is read, for all of it', async () => {
		const half = Buffer.alloc(megabyte / 2, 'x');
		expect((await read([half, half])).rooms).toEqual([]);
		const { rooms, text } = await read([half, half, Buffer.from('y'), Buffer.from('zz')]);
		expect(rooms).toEqual([megabyte + 1, 2]);
		expect(text.endsWith('xyzz')).toBe(true);
	});

	test('and an answer that is larger than any is read no further', async () => {
		const endless = repeated(Buffer.alloc(megabyte), 200);
		await expect(read(endless)).rejects.toThrow(BodyTooLarge);
	});
});

describe('reading ends with an error', () => {
	test('when it is cancelled, before or meanwhile', async () => {
		await expect(read([Buffer.from('a')], { cancel: AbortSignal.abort() })).rejects.toThrow(
			'cancelled',
		);
		const stop = new AbortController();
		const waiting = new Readable({ read: () => undefined });
		const reading = readBody(waiting, {
			isError: false,
			cancel: stop.signal,
			makeRoom: async () => undefined,
		});
		waiting.push('a');
		stop.abort();
		await expect(reading).rejects.toThrow('cancelled');
	});

	test('and one that was read is not ended afterwards', async () => {
		const stop = new AbortController();
		const ended: unknown[] = [];
		const body = {
			destroy: (error?: Error) => ended.push(error),
			async *[Symbol.asyncIterator]() {
				yield Buffer.from('a');
			},
		};
		await readBody(body, {
			isError: false,
			cancel: stop.signal,
			makeRoom: async () => undefined,
		});
		stop.abort();
		expect(ended).toEqual([]);
	});
});
