import type { IncomingHttpHeaders } from 'node:http';

import { modes, type Mode } from '../identity.mts';

/**
 * Finds whose data a request addresses. Interface, Authentication 1: the key is 'sent in either
 * header', `Authorization: Bearer <API_KEY>` or `X-API-Key: <API_KEY>`. When both are sent,
 * `Authorization` counts: it is the one 'marked required in the reference'.
 * @param keys the API key of each mode
 * @returns undefined for a missing or unknown key
 */
export function modeOfKey(
	headers: IncomingHttpHeaders,
	keys: Record<Mode, string>,
): Mode | undefined {
	const { authorization, 'x-api-key': apiKey } = headers;
	const sent = authorization ? /^bearer +(\S+)$/i.exec(authorization)?.[1] : apiKey;
	return modes.find((mode) => keys[mode] === sent);
}
