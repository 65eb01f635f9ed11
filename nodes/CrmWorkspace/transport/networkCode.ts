/** Code of an exchange that took longer than its timeout. */
export const timedOut = 'ETIMEDOUT';

/** Code of an exchange whose answer had more bytes than are read. */
export const tooLarge = 'too large';

/** Code of an exchange whose answer would make its run hold more than one run may. */
export const tooMuchHeld = 'too much held';

/** Code of an exchange whose answer found no room beside those that other runs hold. */
export const noRoom = 'no room';

/** Code of a fault of which nothing is known. */
export const noCode = 'unknown';

/** Whether there was no connection over which anything could have been sent. */
export function isUnconnected(networkCode: string): boolean {
	return isUnnamed(networkCode) || networkCode === 'ECONNREFUSED' || isUntrusted(networkCode);
}

/** Whether the host's name could not be resolved. */
export function isUnnamed(networkCode: string): boolean {
	return networkCode === 'ENOTFOUND' || networkCode === 'EAI_AGAIN';
}

/** Whether there is nothing at the address, or no way to it. */
export function isUnreachable(networkCode: string): boolean {
	return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'].includes(
		networkCode,
	);
}

/**
 * Whether an existing connection broke, or the answer on it was cut off or could not be unpacked.
 */
export function isBroken(networkCode: string): boolean {
	return /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|Z_.*|ERR__ERROR.*)$/.test(
		networkCode,
	);
}

/** Whether there was no secure connection. */
export function isInsecure(networkCode: string): boolean {
	return isUntrusted(networkCode) || /SSL|TLS|EPROTO/.test(networkCode);
}

/** Whether what answered does not speak HTTP. */
export function isNoHttp(networkCode: string): boolean {
	return networkCode.startsWith('HPE_');
}

/** Whether a fault has a cause that waiting does not mend. */
export function isLasting(networkCode: string): boolean {
	const isOfSize = [tooLarge, tooMuchHeld, noRoom].includes(networkCode);
	return isInsecure(networkCode) || isNoHttp(networkCode) || isOfSize;
}

/** Whether the certificate was refused, which comes before anything is sent. */
function isUntrusted(networkCode: string): boolean {
	return /CERT|SIGNATURE/.test(networkCode) && !networkCode.startsWith('ERR_SSL');
}
