/** Whether `text` is a uuid in its usual 8-4-4-4-12 form. */
export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * Why `text` cannot be one recipient, in words that finish "… is"; undefined when it can be.
 * Stricter checks are left to the service: which addresses exist only it can know.
 */
export function emailProblem(text: string): string | undefined {
	if (text === '') return 'empty';
	if (/[,;]/.test(text) || text.split('@').length > 2) return 'more than one address';
	const single = /^[^\s@<>()[\]":\\]+@[^\s@<>()[\]":\\.]+(\.[^\s@<>()[\]":\\.]+)+$/;
	if (!single.test(text) || text.length > 254) return 'not an email address';
	return undefined;
}
