/**
 * Every variant of the interface that a client can meet.
 *
 * The interface leaves questions open, mostly in what it says of itself under OPEN. Each entry names
 * one such question, first the statements of docs/interface.md that leave it open and then how, and
 * lists the answers the sandbox can give. The first of `allowed` is the default. The type, the
 * validation and the README's table all come from this one object.
 */
export const variantDefinitions = {
	// How the service answers when all went well
	sendStatus: {
		allowed: [200, 201, 202, 204],
		leftOpenBy: 'OPEN-8: the status of a send that went well.',
		meaning: 'Status of a successful send. 204 has no body: HTTP forbids one.',
	},
	replayStatus: {
		allowed: ['asSend', 200],
		leftOpenBy: 'OPEN-8, KEY-2: the status of a send that went well, of which a replay is one.',
		meaning: 'Status when the original message is returned: that of a send, or always 200.',
	},
	replayedMessage: {
		allowed: ['current', 'asAnswered'],
		leftOpenBy: 'OPEN-5, KEY-2: the original comes back, and how it has changed since is not told.',
		meaning: 'The returned message in its present state, or in the state first answered.',
	},
	updateStatus: {
		allowed: [200, 201, 202, 204],
		leftOpenBy: 'UPDATE-6: the status of an update that went well is not told.',
		meaning: 'Status of a successful update. 204 has no body: HTTP forbids one.',
	},
	updateAnswer: {
		allowed: [
			'record',
			'changedFields',
			'listOfOne',
			'nullData',
			'emptyObject',
			'success',
			'null',
			'text',
		],
		leftOpenBy: 'UPDATE-6: there is one answer for all updates, whatever was changed.',
		meaning:
			'What a successful update brings: the record, its id and what has changed, `{"data":[record]}`, or no record: `{"data":null}`, `{}`, `{"success":true}`, `null`, or the text OK.',
	},
	listStatus: {
		allowed: [200, 206],
		leftOpenBy: 'LIST-2: the status of a list is not told.',
		meaning: 'Status of every list; some services answer a page with 206.',
	},
	messageStatusAtSend: {
		allowed: ['queued', 'sent', 'delivered'],
		leftOpenBy: 'OPEN-2: the values of `status`.',
		meaning: 'How far a message has come when the send is answered.',
	},
	statusWords: {
		allowed: ['usual', 'upperCase', 'unusual'],
		leftOpenBy: 'OPEN-2: the values of `status`.',
		meaning:
			'The words for all states but rejected: queued, sent, delivered, bounced, complained, failed; the same in capitals; or words no client expects.',
	},
	missingValues: {
		allowed: ['null', 'absent', 'empty'],
		leftOpenBy: 'OPEN-7: which fields are always there, and which may be `null`.',
		meaning: 'How a contact or message shows a field without a value.',
	},
	listedContacts: {
		allowed: ['whole', 'short'],
		leftOpenBy: 'OPEN-7: which fields are always there.',
		meaning: 'Whether a list shows contacts with all their fields, or without notes and tags.',
	},
	extraFields: {
		allowed: [false, true],
		leftOpenBy:
			'OPEN-6: the fields of templates and channels; and nothing says that other records have no more.',
		meaning: 'Whether records and envelopes carry fields that the interface does not name.',
	},

	// Updating a contact
	omittedFields: {
		allowed: ['kept', 'blanked'],
		leftOpenBy: 'OPEN-9: what becomes of fields that an update does not name.',
		meaning: 'What an update does to the settable fields it does not name.',
	},
	clearingValue: {
		allowed: ['nullOrEmpty', 'null', 'empty', 'neither'],
		leftOpenBy: 'OPEN-7: which fields may be `null`.',
		meaning:
			'What clears a field in an update: null (any field), empty text (email, accountId and source too), both, or neither (those three cannot be cleared, null is refused).',
	},
	nullInUpdate: {
		allowed: ['value', 'omitted'],
		leftOpenBy: 'OPEN-7: which fields may be `null`.',
		meaning:
			'What null is in an update: a value, of which `clearingValue` says what becomes, or the same as leaving the field out.',
	},
	unchangedValues: {
		allowed: ['checked', 'taken'],
		leftOpenBy: 'CONTACT-12: the values are those on input, so a contact may have others.',
		meaning:
			'Whether an update may name a value that breaks the rules for input where the contact has it already, such as another `source`.',
	},
	unknownFields: {
		allowed: ['ignored', 'rejected'],
		leftOpenBy: 'CONTACT-4: `companyId` cannot be set, and what becomes of a try is not told.',
		meaning: 'What happens to request fields that the interface does not name.',
	},
	emailComparison: {
		allowed: ['ignoringCase', 'exact'],
		leftOpenBy: 'CONTACT-2: when two addresses are the same.',
		meaning: 'When two emails count as the same.',
	},

	// Sending
	sendFailureAnswer: {
		allowed: ['error', 'message'],
		leftOpenBy: 'MESSAGE-15: a message can tell of a failure, which may be the answer to its send.',
		meaning: 'A failed send is answered with an error, or with the failed message as a success.',
	},
	sendFailureStatus: {
		allowed: [502, 500, 503, 422],
		leftOpenBy: 'OPEN-17: how failures are answered.',
		meaning: 'Status of the error that answers a failed send.',
	},
	originalsThatFailed: {
		allowed: ['failed', 'failedOrRejected', 'failedRejectedOrBounced'],
		leftOpenBy: 'KEY-3: when a send has failed.',
		meaning: 'Which originals count as failed when their key is repeated.',
	},
	failedAndDifferent: {
		allowed: ['IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'],
		leftOpenBy: 'KEY-3, KEY-6: both may be so at once.',
		meaning: 'Which rule wins when the original failed and the payload differs as well.',
	},
	variableParts: {
		allowed: ['rejected', 'dottedTokens'],
		leftOpenBy: 'SEND-17: what a value may be.',
		meaning:
			'What becomes of a variable that is an object or a list: the request is rejected, or its parts are the values of tokens like `{{contact.name}}`.',
	},
	nullVariables: {
		allowed: ['noValue', 'rejected'],
		leftOpenBy: 'SEND-17: what a value may be.',
		meaning: 'What a variable that is null is: one without a value, or a reason to reject.',
	},
	emptyToken: {
		allowed: ['text', 'rejected'],
		leftOpenBy: 'SEND-12: what a token may be called.',
		meaning: 'What `{{}}` is: text that stays as it is, or a token that has no value.',
	},
	htmlLimitBytes: {
		allowed: [262_144, 256_000],
		leftOpenBy: 'SEND-11: how many bytes a KB has.',
		meaning: 'The largest inline html in bytes of UTF-8.',
	},
	htmlLimitStatus: {
		allowed: [413, 400, 422],
		leftOpenBy: 'OPEN-17: how failures are answered.',
		meaning: 'Status for an inline html above the limit.',
	},

	// Lists
	listOrder: {
		allowed: [
			'createdAscending',
			'createdDescending',
			'updatedAscending',
			'updatedDescending',
			'nameAscending',
			'nameDescending',
			'unspecified',
		],
		leftOpenBy: 'LIST-14: records can move from page to page, in an order that is not told.',
		meaning:
			'Order of every list; unspecified is a fixed shuffle in which a new record can stand anywhere. Records without a name come by their creation instead.',
	},
	pagingOutOfRange: {
		allowed: ['clamped', 'rejected'],
		leftOpenBy: 'LIST-8, LIST-10: what becomes of a number out of range.',
		meaning: 'What a page below 1, a limit outside 1 to 100, or text in either gets.',
	},
	listCounts: {
		allowed: ['both', 'totalCount', 'totalPages', 'neither'],
		leftOpenBy: 'WHOLE-2: `meta` may be missing, if only from lists without pages.',
		meaning: 'Which of its two counts a page has. With neither, `meta` is missing altogether.',
	},
	pageSizeMaximum: {
		allowed: [100, 50, 7],
		leftOpenBy: 'LIST-5: the page size that was used may be another one than was asked for.',
		meaning:
			'The most records that the service puts on a page, whatever limit up to 100 is asked for.',
	},
	pagePastEnd: {
		allowed: ['empty', 404, 400, 416, 422],
		leftOpenBy: 'LIST-13: a walk ends at the last page, and what comes after it is not told.',
		meaning: 'What a page after the last one gets: no records, or an error of this status.',
	},
	totalPagesWhenEmpty: {
		allowed: [0, 1],
		leftOpenBy: 'LIST-7: how many pages there are where there is no record.',
		meaning: 'How many pages an empty collection has.',
	},
	searchCovers: {
		allowed: ['namesAndEmail', 'everyField', 'nothingOfEmail', 'ignored'],
		leftOpenBy: 'LIST-11: which fields a search looks at, and where it is supported.',
		meaning:
			'Which contact fields a search looks at: names and email, every text field, every text field but the email, or search is ignored.',
	},
	searchMatches: {
		allowed: ['substrings', 'wordBeginnings'],
		leftOpenBy: 'LIST-11: what free text matches.',
		meaning: 'Whether a search word may match anywhere or only at the beginning of a word.',
	},
	articleSearchParameter: {
		allowed: ['q', 'search', 'query', 'term'],
		leftOpenBy: 'OPEN-11: the name of the parameter.',
		meaning: 'The query parameter that carries the term of the article search.',
	},
	articleSearchWithoutTerm: {
		allowed: ['everything', 'nothing', 'rejected'],
		leftOpenBy: 'OPEN-11: the name of the parameter, so that a client may use another one.',
		meaning: 'What an article search finds without a term (or with the term under another name).',
	},
	articleLimitMaximum: {
		allowed: ['none', 100, 50, 25],
		leftOpenBy: 'ARTICLE-3, ARTICLE-4: `limit` has a default here, and a maximum is not told.',
		meaning:
			'The most articles one search returns. A higher limit is clamped or rejected, as `pagingOutOfRange` has it.',
	},

	// The service's clock
	clockOffset: {
		allowed: [0, 3600, 0.5, -0.5, -3600],
		leftOpenBy: 'MESSAGE-17, CONTACT-15, CONTACT-16: whose clock tells the times.',
		meaning:
			'How far the service is ahead of this machine in all times that it tells, the `Date` header among them, in seconds.',
	},
	timestamps: {
		allowed: ['milliseconds', 'seconds', 'otherZone', 'createdOnly', 'updatedOnly', 'absent'],
		leftOpenBy: 'CONTACT-15, CONTACT-16: how exact the times are, and in which zone.',
		meaning:
			'How `createdAt` and `updatedAt` of contacts and of the records of lists are written: with milliseconds, cut to seconds, or in the notation of another time zone (`+02:00`); and which of the two there are.',
	},
	dateHeader: {
		allowed: ['present', 'absent'],
		leftOpenBy: 'HTTP-1: which headers an answer has.',
		meaning: 'Whether answers carry the `Date` header, which HTTP asks for.',
	},
	dateAhead: {
		allowed: [0, 10, 50, -10, -50],
		leftOpenBy: 'CONTACT-15, HTTP-1: whose clock tells the times, and in which headers.',
		meaning:
			'How far the `Date` header is ahead of the times in records, in seconds: a load balancer answers by its own clock, or records are dated some time before a list shows them.',
	},

	// Errors
	errorBody: {
		allowed: [
			'nested',
			'flat',
			'string',
			'array',
			'problem',
			'text',
			'html',
			'empty',
			'nest',
			'fastApi',
			'spring',
			'rails',
			'laravel',
			'aspNet',
		],
		leftOpenBy: 'OPEN-16: the shape of the body of an error.',
		meaning:
			'`{error:{code,message}}`, `{code,message}`, `{error:"…"}`, `{errors:[{code,message}]}`, RFC 9457 problem details, plain text, an HTML page, no body, or what services made with NestJS, FastAPI, Spring Boot, Rails, Laravel and ASP.NET answer: one shape for invalid requests (400 and 422), another for the rest.',
	},
	errorCodes: {
		allowed: ['upperCase', 'lowerCase', 'absent'],
		leftOpenBy: 'OPEN-17: how failures are answered.',
		meaning: 'How error codes other than the two that the interface names are written.',
	},
	authenticationStatus: {
		allowed: [401, 403],
		leftOpenBy: 'OPEN-17: how failures are answered.',
		meaning: 'Status for a missing or invalid key.',
	},
	validationStatus: {
		allowed: [400, 422],
		leftOpenBy: 'OPEN-17: how failures are answered.',
		meaning: 'Status for a request that breaks a rule for its fields.',
	},
	missingTokenStatus: {
		allowed: [400, 422],
		leftOpenBy: 'OPEN-14: the status of this refusal.',
		meaning: 'Status for a token without value and default.',
	},
	unknownContactStatus: {
		allowed: [404, 400, 403],
		leftOpenBy: 'OPEN-17: how failures are answered.',
		meaning: 'Status for an update of a contact that does not exist in the company.',
	},
	unknownReferenceStatus: {
		allowed: [404, 400, 422],
		leftOpenBy: 'OPEN-17: how failures are answered.',
		meaning: 'Status for a send that names an unknown template, channel or contact.',
	},
	emailTakenStatus: {
		allowed: [409, 400, 422],
		leftOpenBy: 'OPEN-15: the status of this refusal.',
		meaning: 'Status for an email that another contact has.',
	},

	// Rate limit
	limiter: {
		allowed: ['fixedWindow', 'slidingWindow', 'tokenBucket'],
		leftOpenBy: 'LIMIT-1: how a minute is counted.',
		meaning:
			'How a minute is counted: from the first request on, the last sixty seconds at any time, or a bucket that refills evenly.',
	},
	rateLimitStatus: {
		allowed: [429, 503],
		leftOpenBy: 'OPEN-18: the answer above the rate limit.',
		meaning: 'Status of a request above the limit.',
	},
	rateLimitAnswer: {
		allowed: ['retryAfterSeconds', 'retryAfterDate', 'resetHeader', 'resetSeconds', 'bare'],
		leftOpenBy: 'OPEN-18: the answer above the rate limit.',
		meaning:
			'What tells when to come back: `Retry-After` in seconds or as a date, `X-RateLimit-Reset` (Unix seconds), `RateLimit-Reset` (seconds to wait), or nothing.',
	},
	rateLimitHeaders: {
		allowed: ['absent', 'present'],
		leftOpenBy: 'OPEN-18: headers that tell of the limit.',
		meaning: 'Whether every answer carries `X-RateLimit-Limit` and `X-RateLimit-Remaining`.',
	},
} as const;

/** The name of one open question. */
export type VariantName = keyof typeof variantDefinitions;

/** One answer for every open question. */
export type Variants = {
	-readonly [Name in VariantName]: (typeof variantDefinitions)[Name]['allowed'][number];
};

/** The names of all variants, in the order of their definition. */
export const variantNames = Object.keys(variantDefinitions) as VariantName[];

/** A variant that does not exist or a value it does not allow; the message says which. */
export class UnknownVariantError extends Error {}

/** The variants a sandbox starts with: the first allowed value of each. */
export function defaultVariants(): Variants {
	const entries = variantNames.map((name) => [name, variantDefinitions[name].allowed[0]]);
	return Object.fromEntries(entries) as Variants;
}

/**
 * Checks some variants given from outside.
 * @param given an object of names and values
 * @returns the same variants, typed
 * @throws UnknownVariantError for a name or value that is not defined
 */
export function checkVariants(given: unknown): Partial<Variants> {
	if (typeof given !== 'object' || given === null || Array.isArray(given)) {
		throw new UnknownVariantError('Variants are an object of names and values');
	}
	for (const [name, value] of Object.entries(given)) {
		if (!allowedValues(name).includes(value)) {
			const allowed = allowedValues(name)
				.map((one) => JSON.stringify(one))
				.join(', ');
			throw new UnknownVariantError(
				`The variant '${name}' cannot be ${JSON.stringify(value)}. Allowed: ${allowed}`,
			);
		}
	}
	return given as Partial<Variants>;
}

/**
 * Reads one variant as written on the command line.
 * @param assignment `name=value`
 * @returns an object with this one variant
 * @throws UnknownVariantError for a name or value that is not defined
 */
export function parseVariant(assignment: string): Partial<Variants> {
	const [name = '', ...rest] = assignment.split('=');
	const text = rest.join('=');
	const value = allowedValues(name).find((allowed) => String(allowed) === text);
	return checkVariants({ [name]: value ?? text });
}

function allowedValues(name: string): readonly unknown[] {
	if (!Object.hasOwn(variantDefinitions, name)) {
		throw new UnknownVariantError(
			`There is no variant '${name}'. Known: ${variantNames.join(', ')}`,
		);
	}
	return variantDefinitions[name as VariantName].allowed;
}
