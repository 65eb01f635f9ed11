/** What errors and hints of Send Transactional Email say: titles and advice by name. */
import { describeSend } from '../../api/endpoints';
import { maxKeyLength, maxKeysPerMessage } from '../../api/idempotencyKeys';
import { maxHtmlBytes, type SendRequest } from '../../api/records';
import { isContentRejected, type FailureDetails } from '../../client/failure';
import {
	formatList,
	maxNameLength,
	shorten,
	type Explanation,
	type Texts,
} from '../../common/text';
import { quote } from '../../parameters/value';

/** What depends on where a message's idempotency key comes from. */
export interface KeyTexts {
	/** How a message is retried of which it isn't known whether it was sent. */
	retrying: string;
	/** For a message under whose key the service has, or may have, other content. */
	conflict: Explanation;
}

export const retryingWithoutKey =
	'Check in the service whether the recipient got it: another attempt would send it again.';

const arrow = 'in the Executions tab (arrow icon)';

/** How a message is retried safely, by where n8n runs the node. */
const retryingSafely = {
	execution: `To send it safely, retry this execution ${arrow}: a new one would send it again.`,
	subWorkflow: `To send it safely, retry this sub-workflow's own execution ${arrow}: a new one, also by the workflow that calls it, would send it again.`,
	continuing:
		'To send it safely, loop the item back to this node: a new execution would send it again.',
	tool: 'To send it safely, call the tool again with the same values.',
	outside: retryingWithoutKey,
};

export const createRecipientTexts = (place: keyof typeof retryingSafely): KeyTexts => ({
	retrying: retryingSafely[place],
	conflict: [
		'a message with different content was sent or tried earlier',
		place === 'tool'
			? 'It may be this message in other words, so the recipient may have it already: repeat the earlier call with the same values.'
			: 'The earlier message may be this one before its content changed. Retry that one with the same content, or check the messages in the service and send missing ones in a new execution.',
	],
});

export const createCustomKeyTexts = (key: string): KeyTexts => ({
	retrying: 'To send it safely, retry the execution or run the item again, with the same key.',
	conflict: [
		`the idempotency key “${key}” was used earlier with different content`,
		'For the same event, there is nothing to do; keep values that change with each attempt, such as {{ $now }}, out of the content. For another event, use another key.',
	],
});

/** @param reason in words that finish “The message to … wasn't sent: …” */
export const notSent = (to: string, [reason, advice]: Explanation): Explanation => [
	`${describeSend(to).undone}: ${reason}`,
	advice,
];

/**
 * What it means that the service rejected a message; undefined if it rejected something else.
 * Interface: SEND-12, ERROR-1, OPEN-14, OPEN-17.
 */
export function explainRejection(
	details: FailureDetails,
	{ templateSlug, channelId, contactId }: SendRequest,
): Explanation | undefined {
	if (!isContentRejected(details)) return undefined;
	const given = [
		templateSlug && "'Template Slug' and the variables that its tokens need",
		channelId && "'Channel ID'",
		contactId && "'Contact'",
		details.statusCode === 404 && "'Base URL' in the credential",
	];
	const checks = given.filter(Boolean).join(' or ');
	const correct = details.message ? 'Correct what the service names' : '';
	const isOfContent = [400, 404, 409, 422].includes(details.statusCode!);
	if (!checks || !isOfContent) return ['the service rejected it', correct && `${correct}.`];
	const check = correct ? `${correct}, perhaps` : 'Check';
	return [
		'the service rejected it',
		`${check} ${checks}: live and test keys address separate data.`,
	];
}

const correctAddress =
	"Check the address: with another one in 'To', a retry of the execution sends this message; change a custom key, too.";

const sendAgain =
	'It may still be delivered: look it up in the service first. To send only this message again, run its item in a new execution, or with another custom key.';

export const texts = {
	nothingSent: 'Nothing was sent for this item.',
	// Parameters of the message
	invalidRecipient: (problem: string) => [
		`'To' ${problem}`,
		'One message goes to one recipient, written like nathan@example.com. For several recipients, pass one item for each.',
	],
	brackets: 'has < or >',
	notAUuid: (given: string) => `isn't a UUID: ${quote(given)}`,
	singleLine:
		'A subject has a single line. Remove this character, such as by {{ $json.title.replace(/\\s+/g, " ") }}.',
	nameOnly:
		"Enter a name only, in a single line. The channel decides the address; set 'Reply To' for replies.",
	oneAddress: 'Replies go to one address, written like care@example.com.',
	formOfUuid: 'It has to look like 3f1e6c1a-9d0b-4a5e-8c57-2b7f0f6f9a10.',
	formOfContact:
		'Choose a contact from the list, or enter its ID, like 7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33.',
	missingTemplate:
		"Enter the slug of a template, or set 'Content' to HTML or Text to write the message here.",
	missingSubject: (content: string) => `A message with ${content} needs a subject.`,
	emptyBody: "Enter the body of the message, or set 'Content' to Template.",
	tooLong: (content: string, bytes: number) => [
		`'${content}' has ${bytes} bytes, and the service accepts at most ${maxHtmlBytes}`,
		'Shorten it, for example by linking images instead of embedding them.',
	],
	inCodeFence: [
		"'HTML' is in a code fence (```), as models write it",
		'Ask the model for HTML without a fence, or remove it: add .trim().replace(/^```\\w*\\n|\\n```$/g, "") to the expression.',
	],
	localPicture: (address: string) => [
		`'HTML' has an image that a message can't show: ${shorten(address, maxNameLength)}`,
		'The service sends no attachments. Link the image by its https address.',
	],
	/** @param kind of the value, in words */
	unfitForToken: (token: string, kind: string) => [
		`The variable for {{${token}}} is ${kind}, not text`,
		'Give the variable one text, such as {{ $json.address.city }}, or join a list of them.',
	],
	/** Tokens without a value. */
	missingTokens: (
		tokens: string[],
		fields: string[],
		{ hasVariables, names }: { hasVariables: boolean; names: string | undefined },
	) => {
		const isBlock = tokens.some((name) => /^(?:else|this)\b/.test(name));
		const blocks = '{{else}} and {{this.…}} are of another template language';
		const reason = hasVariables
			? (names ?? 'The variable is there, but its expression gave nothing for this item.')
			: `Add ${tokens.length > 1 ? 'variables of these names' : 'a variable of that name'}.`;
		const where = formatList(fields.map((name) => `'${name}'`));
		return [
			`Tokens in ${where} have no value: ${formatList(tokens)}`,
			`${isBlock ? `${blocks}.` : reason} A fallback in the token is written {{name|there}}, and a field of the item {{ $json.name }}.`,
		];
	},
	// Hints of a message
	noTags:
		"'HTML' has several lines and no tags, so they run together. For plain text, set 'Content' to Text",
	showsFallback: (token: string) =>
		`The token {{${token}|…}} shows its fallback: no variable has its name. To show the item's field, add the variable ${token}`,
	codeFence: 'a code fence (```). Ask the model for the message alone',
	foreignTags: 'tags of another tool, such as *|NAME|*. A token is written like {{name}}',
	escapedTags: "HTML tags. Set 'Content' to HTML, and don't escape them",
	showsRecipients: (field: string, what: string) => `'${field}' shows recipients ${what}`,
	// Variables
	notAList: [
		"'Variables' isn't a list of names and values",
		"To give all of them by one expression, set 'Specify Variables' to Using JSON.",
	],
	nameInBraces: (displayName: string, name: string) => [
		`'${displayName}' has braces`,
		`Write the name without braces: ${name}.`,
	],
	withoutName: [
		"'Variables' has an entry without a name",
		'Enter the name of its token, or remove the entry.',
	],
	notAnObject: [
		"'Variables (JSON)' isn't an object",
		'It has to look like { "firstName": "Nathan" }, with a value for each token.',
	],
	notJson: (displayName: string) => [
		`'${displayName}' isn't JSON`,
		'Write an object as one expression, such as {{ { message: $json.message } }}, or expressions between quotes: { "message": "{{ $json.message }}" }. n8n ends an expression at the first }}, so write } } within it.',
	],
	/** Where in the data of an object. */
	inVariable: (name: string) => ` for ${quote(name)}`,
	// Idempotency keys
	keyIsEmpty: 'is empty',
	keyIsTooLong: `is longer than ${maxKeyLength} characters`,
	keyIsTaken: (key: string) =>
		`“${key}” is the same as that of an earlier item with another message`,
	invalidCustomKey: (problem: string) => [
		`'Custom Key' ${problem}`,
		"Enter a text that identifies this message, such as order-1042-shipped, or set 'Idempotency Key' to From Execution.",
	],
	logsLost: [
		"n8n crashed during the original execution, so it's unknown which messages were sent",
		'This retry sent nothing, to avoid duplicates: check in the service who got a message, then run the workflow for the others only. With n8n 2.14 and later, or with a custom key, a retry sends only missing messages.',
	],
	// What became of a message: reasons finish “The message to … wasn't sent: …”
	/** Interface: KEY-3, KEY-5. */
	originalFailed: [
		'an earlier attempt to send it failed in the service',
		"Nothing was delivered under its idempotency key. To send it again, set the option 'If Earlier Attempt Failed' to Send Again.",
	],
	failedNow: [
		'the service failed to send it',
		'Nothing was delivered under its idempotency key: a retry sends it under the next one.',
	],
	tooManyFailures: [
		`${maxKeysPerMessage} attempts to send it have failed in the service`,
		'Retries send this message no more: check the recipient and the content, then run only this item in a new execution, or with another custom key.',
	],
	tooEarly: [
		'earlier messages have to be retried first',
		"An earlier message may be this one with other content, and may already have been sent: retry the earlier ones with the same content first. If that's impossible, check whether the recipient got them, then run this item alone in a new execution.",
	],
	alreadySent: (to: string) => [
		`The message to ${to} was already sent with different content`,
		"The new content wasn't sent: to treat such items as sent, set the option 'If Already Sent With Different Content' to Treat as Sent. To send the new content as well, run only this item in a new execution, or with another custom key.",
	],
	bounced: 'permanent bounce',
	hasStatus: (status: string) => `status “${status}”`,
	/** @param reason without the API key */
	rejected: (to: string, reason: string, isFinal: boolean) => [
		`The message to ${to} ${isFinal ? 'was not' : 'may not have been'} delivered: ${shorten(reason)}`,
		`${isFinal ? correctAddress : sendAgain} To continue despite rejected messages, set the option 'If Message Is Rejected' to Output Message.`,
	],
	/** @param progress how many items of a run were done that an error has ended */
	notSentAgain: (progress: string) =>
		progress.replace(/\.$/, ", and a retry of the execution doesn't send them again."),
	ofItems: (name: string, count: number, items: number) => `${name} (${count} of ${items} items)`,
	gaps: (fields: string[]) =>
		`These fields were empty, so messages have gaps: ${formatList(fields)}`,
	emptyVariables: (names: string[]) =>
		`These variables had no value, so their tokens show a fallback or nothing: ${formatList(names)}`,
	unusedVariables: (names: string[]) =>
		`No token uses these variables: ${formatList(names)}. A token is written like {{${formatList(names.slice(0, 1))}}}; tags of other tools are sent as they are`,
	sentOnce: (repeated: number, items: number) =>
		`${repeated} of ${items} items had the same message for the same recipient as an earlier item, and it was sent once. If one item is enough, turn on 'Execute Once' in the node's settings. To send equal messages, set 'Idempotency Key' to None, or give each its own custom key`,
	sentBefore: (before: number, items: number) =>
		`${before} of ${items} messages had been sent before and were not sent again`,
} satisfies Texts;
