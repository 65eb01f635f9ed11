/** Line breaks, all other control characters but tabs, and halves of characters. */
const unfitForHeader = /[^\P{Cc}\t]|[\p{Zl}\p{Zp}\p{Cs}]/u;

/** The same, tabs, all that nobody sees, and what no sign is assigned to. */
const unfitForAddress = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Cf}\p{DI}\u2800\p{NChar}]/u;

/** What joins letters of scripts that need it, and emoji. */
const neededJoiner =
	/(?<=[\p{L}\p{M}])(?<![\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d](?=\p{L})|(?<=[\p{ExtPict}\p{EMod}\ufe0f])(?:\ufe0f|\u200d(?=\p{ExtPict}))/gu;

/**
 * Which sign of a text would lead a service astray that puts it into the head of a message, and
 * where it is, in words that finish "<Field> …"; undefined when none is. Joiners and marks of
 * direction are fit: emoji and whole scripts are written with them.
 */
export function headProblem(text: string): string | undefined {
	return problemOf(text, unfitForHeader);
}

/**
 * The same for an address, which is not what it seems with a sign that nobody sees, unless its
 * script needs it.
 */
export function addressSignProblem(text: string): string | undefined {
	return problemOf(text.replace(neededJoiner, '-'), unfitForAddress);
}

/** Characters count from 1. */
function problemOf(text: string, unfit: RegExp): string | undefined {
	const found = unfit.exec(text);
	if (!found) return undefined;
	const place = [...text.slice(0, found.index)].length + 1;
	return `has ${named(found[0])} at character ${place}`;
}

function named(sign: string): string {
	const code = `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
	if (/[\n\v\f\r\x85\u2028\u2029]/.test(sign)) return 'a line break';
	if (sign === '\t') return 'a tab';
	if (/\p{Cs}/u.test(sign)) return `half a character (${code})`;
	return `the ${/\p{Cc}/u.test(sign) ? 'control character' : 'unseen sign'} ${code}`;
}
