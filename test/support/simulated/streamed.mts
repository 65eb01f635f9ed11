/** A response as n8n's HTTP client gives it to a node that reads it as a stream. */
export function streamed<Response extends { body: string | Uint8Array }>(response: Response) {
	return { ...response, body: [Buffer.from(response.body as string)] };
}
