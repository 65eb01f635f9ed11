import { addressSignProblem } from './signs';

/** Whether `text` is a uuid in its usual 8-4-4-4-12 form. */
export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * Why `text` cannot be the address of one recipient, in words that finish "<Field> …"; undefined
 * when it can be. Stricter checks are left to the service: which addresses exist only it can know.
 */
export function addressProblem(text: string): string | undefined {
	const sign = addressSignProblem(text);
	if (sign) return sign;
	// Some signs are another way to write those that part addresses: a service may write them so.
	const problem = emailProblem(text) ?? emailProblem(text.normalize('NFKC'));
	return problem && `is ${problem}`;
}

/** The same in words that finish "… is", of what can be seen. */
export function emailProblem(text: string): string | undefined {
	if (text === '') return 'empty';
	if (/[,;]/.test(text) || text.split('@').length > 2) return 'more than one address';
	const single = /^[^\s@<>()[\]":\\]+@[^\s@<>()[\]":\\.]+(\.[^\s@<>()[\]":\\.]+)+$/;
	if (!single.test(text) || text.length > 254) return 'not an email address';
	// Mail programs that decode such a word find another address in it.
	return /=\?[^?]{1,80}\?[bq]\?/i.test(text) ? 'not an email address' : undefined;
}
