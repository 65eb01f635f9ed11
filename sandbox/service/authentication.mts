import type { IncomingHttpHeaders } from 'node:http';

import { modes, type Mode } from '../identity.mts';

/**
 * Finds the data that a request addresses. The key is in one of two headers. If both are sent,
 * `Authorization` is used, which the reference marks as required.
 * Interface: AUTH-2, AUTH-3, AUTH-4, AUTH-5.
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
