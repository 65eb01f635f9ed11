/** Sentences of the interface that leave several questions open at once. */
const otherFailures =
	'Failures for missing or invalid keys, unknown contact id and other validation problems: not shown.';
const rateLimitResponse =
	'Response when the rate limit is exceeded, and any rate-limit headers: not shown.';

/**
 * Every reading of the interface that a client can meet.
 *
 * The interface leaves questions open, mostly with the words 'not shown'. Each entry names one such
 * question, quotes the sentence that left it open, and lists the answers the sandbox can give.
 * The first of `allowed` is the default. The type, the validation and the README's table all
 * come from this one object.
 */
export const readingDefinitions = {
	// How the service answers when all went well
	sendStatus: {
		allowed: [200, 201, 202, 204],
		leftOpenBy: 'The success HTTP status code: not shown.',
		meaning: 'Status of a successful send. 204 has no body: HTTP forbids one.',
	},
	replayStatus: {
		allowed: ['asSend', 200],
		leftOpenBy:
			'When a key is repeated with the same payload, the original message is returned and nothing is sent.',
		meaning: 'Status when the original message is returned: that of a send, or always 200.',
	},
	replayedMessage: {
		allowed: ['current', 'asAnswered'],
		leftOpenBy:
			'When a key is repeated with the same payload, the original message is returned and nothing is sent.',
		meaning: 'The returned message in its present state, or in the state first answered.',
	},
	updateStatus: {
		allowed: [200, 201, 202, 204],
		leftOpenBy: 'Response: `{ "data": <Contact> }`.',
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
		leftOpenBy: 'Updates a contact and returns the updated record.',
		meaning:
			'What a successful update brings: the record, its id and what has changed, `{"data":[record]}`, or no record: `{"data":null}`, `{}`, `{"success":true}`, `null`, or the text OK.',
	},
	listStatus: {
		allowed: [200, 206],
		leftOpenBy:
			'The response is always an object with `data` (array) and `meta`, never a bare array.',
		meaning: 'Status of every list; some services answer a page with 206.',
	},
	messageStatusAtSend: {
		allowed: ['queued', 'sent', 'delivered'],
		leftOpenBy: 'Message status values other than rejected: not shown.',
		meaning: 'How far a message has come when the send is answered.',
	},
	statusWords: {
		allowed: ['usual', 'upperCase', 'unusual'],
		leftOpenBy: 'Allowed values of status: not shown beyond rejected.',
		meaning:
			'The words for all states but rejected: queued, sent, delivered, bounced, complained, failed; the same in capitals; or words no client expects.',
	},
	missingValues: {
		allowed: ['null', 'absent', 'empty'],
		leftOpenBy: 'Which contact fields are always present or may be null: not shown.',
		meaning: 'How a contact or message shows a field without a value.',
	},
	extraFields: {
		allowed: [false, true],
		leftOpenBy: 'Fields of template and channel records: not shown.',
		meaning: 'Whether records and envelopes carry fields that the interface does not name.',
	},

	// Updating a contact
	omittedFields: {
		allowed: ['kept', 'blanked'],
		leftOpenBy: 'Whether omitted fields keep their values: not shown.',
		meaning: 'What an update does to the settable fields it does not name.',
	},
	clearingValue: {
		allowed: ['nullOrEmpty', 'null', 'empty', 'neither'],
		leftOpenBy: 'Which contact fields are always present or may be null: not shown.',
		meaning:
			'What clears a field in an update: null (any field), empty text (email, accountId and source too), both, or neither (those three cannot be cleared, null is refused).',
	},
	unchangedValues: {
		allowed: ['checked', 'taken'],
		leftOpenBy: 'on input restricted to',
		meaning:
			'Whether an update may name a value that breaks the rules for input where the contact has it already, such as another `source`.',
	},
	unknownFields: {
		allowed: ['ignored', 'rejected'],
		leftOpenBy: 'owning company; not settable in the update body',
		meaning: 'What happens to request fields that the interface does not name.',
	},
	emailComparison: {
		allowed: ['ignoringCase', 'exact'],
		leftOpenBy: 'Email is unique per company.',
		meaning: 'When two emails count as the same.',
	},

	// Sending
	sendFailureAnswer: {
		allowed: ['error', 'message'],
		leftOpenBy: 'A message record can carry `error` and `errorReason` text when delivery failed.',
		meaning: 'A failed send is answered with an error, or with the failed message as a success.',
	},
	sendFailureStatus: {
		allowed: [502, 500, 503, 422],
		leftOpenBy: otherFailures,
		meaning: 'Status of the error that answers a failed send.',
	},
	originalsThatFailed: {
		allowed: ['failed', 'failedOrRejected', 'failedRejectedOrBounced'],
		leftOpenBy:
			'When a key is repeated and the original send failed, the response is a 409 with code IDEMPOTENT_REPLAY that names the key; the old error is not replayed.',
		meaning: 'Which originals count as failed when their key is repeated.',
	},
	failedAndDifferent: {
		allowed: ['IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'],
		leftOpenBy:
			'When a key is repeated with a different payload, the response is a 409 with code IDEMPOTENCY_KEY_REUSED.',
		meaning: 'Which rule wins when the original failed and the payload differs as well.',
	},
	variableParts: {
		allowed: ['rejected', 'dottedTokens'],
		leftOpenBy: 'values substituted into `{{name}}` tokens',
		meaning:
			'What becomes of a variable that is an object or a list: the request is rejected, or its parts are the values of tokens like `{{contact.name}}`.',
	},
	nullVariables: {
		allowed: ['noValue', 'rejected'],
		leftOpenBy: 'values substituted into `{{name}}` tokens',
		meaning: 'What a variable that is null is: one without a value, or a reason to reject.',
	},
	emptyToken: {
		allowed: ['text', 'rejected'],
		leftOpenBy: 'every `{{token}}` needs a value in variables or an inline default',
		meaning: 'What `{{}}` is: text that stays as it is, or a token that has no value.',
	},
	htmlLimitBytes: {
		allowed: [262_144, 256_000],
		leftOpenBy: 'maximum 256 KB',
		meaning: 'The largest inline html in bytes of UTF-8.',
	},
	htmlLimitStatus: {
		allowed: [413, 400, 422],
		leftOpenBy: otherFailures,
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
		leftOpenBy:
			'Records created or deleted during a walk can shift results between pages; the walk is not a consistent snapshot.',
		meaning:
			'Order of every list; unspecified is a fixed shuffle in which a new record can stand anywhere. Records without a name come by their creation instead.',
	},
	pagingOutOfRange: {
		allowed: ['clamped', 'rejected'],
		leftOpenBy: 'items per page, maximum 100',
		meaning: 'What a page below 1, a limit outside 1 to 100, or text in either gets.',
	},
	listCounts: {
		allowed: ['both', 'totalCount', 'totalPages', 'neither'],
		leftOpenBy: 'Clients must tolerate a missing `meta` on unpaginated lists.',
		meaning: 'Which of its two counts a page has. With neither, `meta` is missing altogether.',
	},
	pageSizeMaximum: {
		allowed: [100, 50, 7],
		leftOpenBy: 'page size used',
		meaning:
			'The most records that the service puts on a page, whatever limit up to 100 is asked for.',
	},
	pagePastEnd: {
		allowed: ['empty', 404, 400, 416, 422],
		leftOpenBy: 'A client can walk a collection by requesting pages until totalPages is reached.',
		meaning: 'What a page after the last one gets: no records, or an error of this status.',
	},
	totalPagesWhenEmpty: {
		allowed: [0, 1],
		leftOpenBy: 'number of pages',
		meaning: 'How many pages an empty collection has.',
	},
	searchCovers: {
		allowed: ['namesAndEmail', 'everyField', 'nothingOfEmail', 'ignored'],
		leftOpenBy: 'free-text search across the resource, where supported',
		meaning:
			'Which contact fields a search looks at: names and email, every text field, every text field but the email, or search is ignored.',
	},
	searchMatches: {
		allowed: ['substrings', 'wordBeginnings'],
		leftOpenBy: 'free-text search across the resource, where supported',
		meaning: 'Whether a search word may match anywhere or only at the beginning of a word.',
	},
	articleSearchParameter: {
		allowed: ['q', 'search', 'query', 'term'],
		leftOpenBy: 'The name of the search-term parameter: not shown.',
		meaning: 'The query parameter that carries the term of the article search.',
	},
	articleSearchWithoutTerm: {
		allowed: ['everything', 'nothing', 'rejected'],
		leftOpenBy: 'The name of the search-term parameter: not shown.',
		meaning: 'What an article search finds without a term (or with the term under another name).',
	},
	articleLimitMaximum: {
		allowed: ['none', 100, 50, 25],
		leftOpenBy:
			'totalCount is the number of matches and may exceed the number returned. `limit` defaults to 10 here.',
		meaning:
			'The most articles one search returns. A higher limit is clamped or rejected, as `pagingOutOfRange` has it.',
	},

	// The service's clock
	clockOffset: {
		allowed: [0, 3600, 0.5, -0.5, -3600],
		leftOpenBy: 'string, date-time (ISO 8601)',
		meaning:
			'How far the service is ahead of this machine in all times that it tells, the `Date` header among them, in seconds.',
	},
	timestamps: {
		allowed: ['milliseconds', 'seconds', 'otherZone', 'createdOnly', 'updatedOnly', 'absent'],
		leftOpenBy: 'string, date-time (ISO 8601)',
		meaning:
			'How `createdAt` and `updatedAt` of contacts and of the records of lists are written: with milliseconds, cut to seconds, or in the notation of another time zone (`+02:00`); and which of the two there are.',
	},
	dateHeader: {
		allowed: ['present', 'absent'],
		leftOpenBy: 'Requests and responses are JSON over HTTP.',
		meaning: 'Whether answers carry the `Date` header, which HTTP asks for.',
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
		leftOpenBy: 'Error response body shape: not shown.',
		meaning:
			'`{error:{code,message}}`, `{code,message}`, `{error:"…"}`, `{errors:[{code,message}]}`, RFC 9457 problem details, plain text, an HTML page, no body, or what services made with NestJS, FastAPI, Spring Boot, Rails, Laravel and ASP.NET answer: one shape for invalid requests (400 and 422), another for the rest.',
	},
	errorCodes: {
		allowed: ['upperCase', 'lowerCase', 'absent'],
		leftOpenBy: otherFailures,
		meaning: 'How error codes other than the two that the interface names are written.',
	},
	authenticationStatus: {
		allowed: [401, 403],
		leftOpenBy: otherFailures,
		meaning: 'Status for a missing or invalid key.',
	},
	validationStatus: {
		allowed: [400, 422],
		leftOpenBy: otherFailures,
		meaning: 'Status for a request that breaks a rule for its fields.',
	},
	missingTokenStatus: {
		allowed: [400, 422],
		leftOpenBy: 'a `{{token}}` has neither a variables value nor a `{{token|fallback}}` default',
		meaning: 'Status for a token without value and default.',
	},
	unknownContactStatus: {
		allowed: [404, 400, 403],
		leftOpenBy: otherFailures,
		meaning: 'Status for an update of a contact that does not exist in the company.',
	},
	unknownReferenceStatus: {
		allowed: [404, 400, 422],
		leftOpenBy: otherFailures,
		meaning: 'Status for a send that names an unknown template, channel or contact.',
	},
	emailTakenStatus: {
		allowed: [409, 400, 422],
		leftOpenBy: 'email already used by another contact of the company',
		meaning: 'Status for an email that another contact has.',
	},

	// Rate limit
	limiter: {
		allowed: ['fixedWindow', 'slidingWindow', 'tokenBucket'],
		leftOpenBy: 'Default rate limit',
		meaning:
			'How a minute is counted: from the first request on, the last sixty seconds at any time, or a bucket that refills evenly.',
	},
	rateLimitStatus: {
		allowed: [429, 503],
		leftOpenBy: rateLimitResponse,
		meaning: 'Status of a request above the limit.',
	},
	rateLimitAnswer: {
		allowed: ['retryAfterSeconds', 'retryAfterDate', 'resetHeader', 'resetSeconds', 'bare'],
		leftOpenBy: rateLimitResponse,
		meaning:
			'What tells when to come back: `Retry-After` in seconds or as a date, `X-RateLimit-Reset` (Unix seconds), `RateLimit-Reset` (seconds to wait), or nothing.',
	},
	rateLimitHeaders: {
		allowed: ['absent', 'present'],
		leftOpenBy: rateLimitResponse,
		meaning: 'Whether every answer carries `X-RateLimit-Limit` and `X-RateLimit-Remaining`.',
	},
} as const;

/** The name of one open question. */
export type ReadingName = keyof typeof readingDefinitions;

/** One answer for every open question. */
export type Readings = {
	-readonly [Name in ReadingName]: (typeof readingDefinitions)[Name]['allowed'][number];
};

/** The names of all readings, in the order of their definition. */
export const readingNames = Object.keys(readingDefinitions) as ReadingName[];

/** A reading that does not exist or a value it does not allow; the message says which. */
export class UnknownReadingError extends Error {}

/** The readings a sandbox starts with: the first allowed value of each. */
export function defaultReadings(): Readings {
	const entries = readingNames.map((name) => [name, readingDefinitions[name].allowed[0]]);
	return Object.fromEntries(entries) as Readings;
}

/**
 * Checks some readings given from outside.
 * @param given an object of names and values
 * @returns the same readings, typed
 * @throws UnknownReadingError for a name or value that is not defined
 */
export function checkReadings(given: unknown): Partial<Readings> {
	if (typeof given !== 'object' || given === null || Array.isArray(given)) {
		throw new UnknownReadingError('Readings are an object of names and values');
	}
	for (const [name, value] of Object.entries(given)) {
		if (!allowedValues(name).includes(value)) {
			const allowed = allowedValues(name)
				.map((one) => JSON.stringify(one))
				.join(', ');
			throw new UnknownReadingError(
				`The reading '${name}' cannot be ${JSON.stringify(value)}. Allowed: ${allowed}`,
			);
		}
	}
	return given as Partial<Readings>;
}

/**
 * Reads one reading as written on the command line.
 * @param assignment `name=value`
 * @returns an object with this one reading
 * @throws UnknownReadingError for a name or value that is not defined
 */
export function parseReading(assignment: string): Partial<Readings> {
	const [name = '', ...rest] = assignment.split('=');
	const text = rest.join('=');
	const value = allowedValues(name).find((allowed) => String(allowed) === text);
	return checkReadings({ [name]: value ?? text });
}

function allowedValues(name: string): readonly unknown[] {
	if (!Object.hasOwn(readingDefinitions, name)) {
		throw new UnknownReadingError(
			`There is no reading '${name}'. Known: ${readingNames.join(', ')}`,
		);
	}
	return readingDefinitions[name as ReadingName].allowed;
}
