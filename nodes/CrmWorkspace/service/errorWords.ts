import { maxNameLength, maxTextLength } from '../text/plainText';
import type { ServiceError } from '../transport/errors/serviceError';

/** Whether the service says that it has no such contact, and not that something else is missing. */
export function saysNoContact(said: ServiceError): boolean {
	return sentences(said).some((sentence) => noContact.test(sentence));
}

/** Whether the service says that another contact has the email address. */
export function saysEmailTaken(said: ServiceError): boolean {
	return sentences(said).some((sentence) => takenEmail.test(sentence));
}

/** A record that a message refers to. */
export type Reference = 'template' | 'channel' | 'contact';

/** Whether the service names such a record. */
export function namesReference(reference: Reference, said: ServiceError): boolean {
	return sentences(said).some((sentence) => new RegExp(`\\b${reference}\\b`).test(sentence));
}

/**
 * The names of the tokens that have no value, where the service says that and lists them at the end
 * of its words, after a colon. Interface: SEND-12, ERROR-1, OPEN-14, OPEN-16.
 */
export function namesWithoutValue(said: ServiceError): string[] {
	const isSaid = sentences(said).some((sentence) => withoutValue.test(sentence));
	const [, list] = namesAtEnd.exec(said.message?.slice(0, maxTextLength) ?? '') ?? [];
	return isSaid && list ? list.split(/,\s*/) : [];
}

const withoutValue =
	/\b(missing|undefined|unresolved|unset) (template )?(variable|token|placeholder)s?\b|\b(variable|token|placeholder)s? (is |are )?(missing|undefined|required)\b|\bno value and no default\b/;

const namesAtEnd = /:\s*([\w$-]+(?:\.[\w$-]+)*(?:,\s*[\w$-]+(?:\.[\w$-]+)*)*)\.?$/;

/** Whether the service says no more than that something was not found, or nothing at all. */
export function saysOnlyNotFound(said: ServiceError): boolean {
	return sentences(said).every((sentence) => onlyNotFound.test(sentence));
}

/** Words that may stand between a thing and what is said of it, without changing what that is. */
const filling =
	'(?: (?:a|address|already|an?other|be|been|by|can|contacts?|could|did|does|entry|error|field|for|given|has|having|id|is|key|must|of|record|same|that|the|this|value|violates|was|which|with))*';

const noContact = new RegExp(
	[
		`(?<!\\b(?:of|for|to|by|from|on|in|with) (?:(?:the|this|that|a) )?)\\bcontact${filling} (?:not (?:be )?found|not exist|no longer exists?|unknown|deleted|gone)\\b`,
		'\\b(?:no|no such|unknown|missing) contact(?=$| (?:exists?|found|was|with|has|for|under|by)\\b)',
		'\\b(?:could not|cannot|unable to) find (?:the |a |any )?contact(?=$| (?:with|by|id)\\b)',
		'^no query results for model (?:\\w+ )*contact$',
	].join('|'),
);

const takenEmail = new RegExp(
	[
		`\\be ?mail${filling} (?:taken|in use|used|exists?|registered|assigned|(?:not )?unique|conflict|duplicated?$)`,
		`\\b(?:duplicated?|unique|another contact|exists? already|already exists?)${filling}(?: constraint${filling})? e ?mail\\b`,
	].join('|'),
);

const onlyNotFound =
	/^(error )?((the )?(requested )?(resource|record|object|entity|item) )?((was |is |could )?not (be )?found|gone|does not exist)$/;

/**
 * The sentences of a code and of words, each in small letters, one space between words. An
 * address reads "email"; UUIDs, quotes and numbers say nothing of what is wrong and are left out.
 * Beyond what is shown of a code and of words, nothing is read.
 */
function sentences({ code = '', message = '' }: ServiceError): string[] {
	const codeWords = code.slice(0, maxNameLength).replace(/([a-z])([A-Z])/g, '$1 $2');
	return [codeWords, ...message.slice(0, maxTextLength).split(/[.;,!?](?=\s)|\n/)]
		.map(plain)
		.filter(Boolean);
}

function plain(text: string): string {
	return text
		.toLowerCase()
		.replace(/\S+@\S+/g, ' email ')
		.replace(/[\da-f]{8}-[\da-f-]{27}/g, ' ')
		.replace(/n['’]t\b/g, ' not')
		.replace(/[^a-z]+/g, ' ')
		.trim();
}
