/** The part of a Node.js stream that reading a body takes. */
export interface Body extends AsyncIterable<Buffer> {
	destroy(error?: Error): unknown;
}

/** The most bytes of an answer that are read: enough for a feed of some 100,000 records. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Up to which size an answer, such as a page of a list, is read without asking for room. */
const smallBytes = 1024 * 1024;

/** How much of an error's body is read: what it says stands at its beginning. */
const maxErrorBytes = 64 * 1024;

/** How a body is read. */
interface BodyReadOptions {
	isError: boolean;
	cancel: AbortSignal;
	makeRoom: (bytes: number) => Promise<void>;
}

/** Thrown when an answer has more than `maxBodyBytes`. */
export class BodyTooLarge extends Error {}

/**
 * Reads a body as UTF-8 text: to its end, or what counts of it if it is that of an error.
 * @param cancel ends the reading, with an error
 * @param makeRoom is waited for before a large answer is read on: it takes so many bytes more
 * @throws BodyTooLarge, or the stream's own error when it breaks off
 */
export async function readBody(
	body: Body,
	{ isError, cancel, makeRoom }: BodyReadOptions,
): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	let roomFor = 0;
	const stop = () => body.destroy(new Error('cancelled'));
	if (cancel.aborted) stop();
	cancel.addEventListener('abort', stop, { once: true });
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > maxBodyBytes) throw new BodyTooLarge();
			if (bytes > smallBytes) {
				await makeRoom(bytes - roomFor);
				roomFor = bytes;
			}
			chunks.push(chunk);
			if (isError && bytes >= maxErrorBytes) break;
		}
	} finally {
		cancel.removeEventListener('abort', stop);
	}
	const all = Buffer.concat(chunks);
	return (isError ? all.subarray(0, maxErrorBytes) : all).toString('utf8');
}
