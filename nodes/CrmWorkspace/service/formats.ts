import { shorten, trim } from '../text/plainText';

/** Line breaks and all other control characters but tabs. */
const unfitForHeader = /[^\P{Cc}\t]|[\p{Zl}\p{Zp}]/u;

/** The same, tabs, replaced halves of characters, and invisible ones but joiners, for some scripts. */
const unfitForAddress = /[\p{Cc}\ufffd\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/**
 * Why a text must not go into a header of a message, in words that finish "<Field> …"; undefined
 * when it may.
 */
export function validateHeader(text: string): string | undefined {
	return unfitForHeader.test(text) ? 'has a line break or control character' : undefined;
}

/**
 * Whether `text` is a uuid in its usual 8-4-4-4-12 form.
 * Interface: WORK-4, SEND-21, SEND-25, UPDATE-2, CONTACT-11.
 */
export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * The address in what mail programs and web pages write: `Ada <ada@example.com>`, `<ada@example.com>`,
 * `mailto:ada@example.com`. Another text, and one with two addresses, stays as it is.
 */
export function bareAddress(text: string): string {
	const given = trim(text);
	const [, name, inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(given) ?? [];
	const address = trim(inBrackets ?? given).replace(/^mailto:([^?]*).*$/is, '$1');
	const isNamed =
		!name?.includes('@') || normalizedEmail(name.replaceAll('"', '')) === normalizedEmail(address);
	return isNamed ? address : given;
}

/**
 * Why `text` can't be the address of one recipient, in words that finish "<Field> …"; undefined if
 * it can be. Stricter checks are left to the service.
 * Interface: SEND-2, SEND-6, SEND-19, CONTACT-7.
 */
export function validateAddress(text: string): string | undefined {
	if (text === '') return 'is empty';
	if (unfitForAddress.test(text)) return 'has an invisible character';
	const shown = `“${shorten(text, 60)}”`;
	if (/@[^@]+@/.test(text)) return `is more than one address: ${shown}`;
	const isPlaceholder = /\{[\w .-]+\}|^%\w+%@|\|\w+\|/.test(text);
	const isAddress = text.length <= 254 && oneAddress.test(text) && !isPlaceholder;
	return isAddress ? undefined : `isn't an email address: ${shown}`;
}

const oneAddress = /^[^\s@<>()[\]",;:\\]+@[^\s@<>()[\]",;:\\.]+(\.[^\s@<>()[\]",;:\\.]+)+$/;

/** An email address in the form in which addresses are compared. */
export function normalizedEmail(email: unknown): string {
	return typeof email === 'string' ? trim(email).toLowerCase() : '';
}
