/**
 * A response as n8n's HTTP client gives it to a node that reads it as a stream: in two parts, between
 * which a letter may be cut.
 */
export function streamed<Response extends { body: string | Uint8Array }>(response: Response) {
	const bytes = Buffer.from(response.body as string);
	const half = bytes.length >> 1;
	return { ...response, body: [bytes.subarray(0, half), bytes.subarray(half)] };
}
