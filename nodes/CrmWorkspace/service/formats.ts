import { withoutInvisible } from '../text/invisible';
import { addressCharacterProblem } from './characters';

/**
 * Whether `text` is a uuid in its usual 8-4-4-4-12 form.
 * Interface: WORK-4, SEND-21, SEND-25, UPDATE-2, CONTACT-11.
 */
export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * Why `text` cannot be the address of one recipient, in words that finish "<Field> …"; undefined
 * when it can be. Stricter checks are left to the service: which addresses exist only it can know.
 * Interface: SEND-2, SEND-6, SEND-19, CONTACT-7.
 */
export function addressProblem(text: string): string | undefined {
	const invisible = addressCharacterProblem(text);
	if (invisible) return invisible;
	// Some characters are variants of a comma or an at sign: a service may normalize them to these.
	const problem = emailProblem(text) ?? emailProblem(text.normalize('NFKC'));
	return problem && `is ${problem}`;
}

/** The same without the check for invisible characters, in words that finish "… is". */
export function emailProblem(text: string): string | undefined {
	if (text === '') return 'empty';
	if (/[,;]/.test(text) || text.split('@').length > 2) return 'more than one address';
	const single = /^[^\s@<>()[\]":\\]+@[^\s@<>()[\]":\\.]+(\.[^\s@<>()[\]":\\.]+)+$/;
	if (!single.test(text) || text.length > 254) return 'not an email address';
	// Mail programs that decode such a word find another address in it.
	return /=\?[^?]{1,80}\?[bq]\?/i.test(text) ? 'not an email address' : undefined;
}

/** An email address in the form in which addresses are compared: visible characters, lower case. */
export function normalizedEmail(email: unknown): string {
	// Some characters, such as the Kelvin sign, have the lower-case form of another letter without
	// being that letter.
	return withoutInvisible(typeof email === 'string' ? email : '').replace(/./gu, (sign) => {
		const lower = sign.toLowerCase();
		return lower.toUpperCase() === sign ? lower : sign;
	});
}
