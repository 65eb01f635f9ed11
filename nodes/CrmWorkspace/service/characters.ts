/** Line breaks, all other control characters but tabs, and halves of characters. */
const unfitForHeader = /[^\P{Cc}\t]|[\p{Zl}\p{Zp}\p{Cs}]/u;

/** The same, tabs, invisible characters, and code points that are no characters. */
const unfitForAddress = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Cf}\p{DI}\u2800\p{NChar}]/u;

const neededJoiner =
	/(?<=[\p{L}\p{M}])(?<![\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d](?=\p{L})|(?<=[\p{ExtPict}\p{EMod}\ufe0f])(?:\ufe0f|\u200d(?=\p{ExtPict}))/gu;

/**
 * Finds a character that must not go into a header of a message, and says which and where in words
 * that finish "<Field> …"; undefined when there is none. Joiners and marks of direction are
 * allowed: emoji and whole scripts are written with them.
 */
export function headProblem(text: string): string | undefined {
	return problemOf(text, unfitForHeader);
}

/**
 * The same for an email address. Invisible characters are not allowed there, unless a script needs
 * them, because the address would not be what it looks like.
 */
export function addressCharacterProblem(text: string): string | undefined {
	return problemOf(text.replace(neededJoiner, '-'), unfitForAddress);
}

/** The first character that matches, in words; characters count from 1. */
function problemOf(text: string, unfit: RegExp): string | undefined {
	const found = unfit.exec(text);
	if (!found) return undefined;
	const position = [...text.slice(0, found.index)].length + 1;
	return `has ${nameOf(found[0])} at character ${position}`;
}

function nameOf(character: string): string {
	const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
	if (/[\n\v\f\r\x85\u2028\u2029]/.test(character)) return 'a line break';
	if (character === '\t') return 'a tab';
	if (/\p{Cs}/u.test(character)) return `half a character (${code})`;
	return `the ${/\p{Cc}/u.test(character) ? 'control character' : 'invisible character'} ${code}`;
}
