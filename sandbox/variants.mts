/**
 * The variants: possible behaviors of the service that the node is prepared for, because the API
 * description is silent.
 *
 * Each entry names the requirements in docs/interface.md that leave the question open, and the
 * values that the sandbox can take. The first of `allowed` is the default. Types, validation,
 * `--help` and the page use this object. Behaviors that the node ignores share one variant,
 * `service`; the statuses of rejected requests share `refusals`.
 */
export const variantDefinitions = {
	// Sending
	replayedMessage: {
		allowed: ['current', 'asAnswered'],
		leftOpenBy: 'OPEN-5, KEY-2',
		meaning: 'State of a message that is returned again: its current state, or its first one.',
	},
	sendFailureAnswer: {
		allowed: ['error', 'message'],
		leftOpenBy: 'MESSAGE-15',
		meaning: 'Response to a failed send: an error, or the failed message as a success.',
	},
	originalsThatFailed: {
		allowed: ['failed', 'failedOrRejected', 'failedRejectedOrBounced'],
		leftOpenBy: 'KEY-3',
		meaning: 'Messages that count as failed when their key is repeated.',
	},
	failedAndDifferent: {
		allowed: ['IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'],
		leftOpenBy: 'KEY-3, KEY-6',
		meaning: 'Code if the original failed and the payload differs, too.',
	},

	// Contacts and their updates
	omittedFields: {
		allowed: ['kept', 'blanked'],
		leftOpenBy: 'OPEN-9',
		meaning: 'What an update does to settable fields that it omits.',
	},
	clearingValue: {
		allowed: ['nullOrEmpty', 'null', 'empty', 'neither'],
		leftOpenBy: 'OPEN-7',
		meaning:
			'Value that clears a field: null, empty text, either, or neither. Without empty text, email, accountId and source reject it.',
	},
	nullInUpdate: {
		allowed: ['value', 'omitted'],
		leftOpenBy: 'OPEN-7',
		meaning: 'Whether null in an update is a value, or the same as omitting the field.',
	},
	missingValues: {
		allowed: ['null', 'absent', 'empty'],
		leftOpenBy: 'OPEN-7',
		meaning: 'How contacts and messages show a field without a value.',
	},

	// Lists
	listOrder: {
		allowed: ['createdAscending', 'createdDescending', 'updatedDescending', 'unspecified'],
		leftOpenBy: 'LIST-14',
		meaning: 'Order of lists. Unspecified is a fixed shuffle: new records can appear anywhere.',
	},
	searchCovers: {
		allowed: ['namesAndEmail', 'everyField', 'nothingOfEmail', 'ignored'],
		leftOpenBy: 'LIST-11',
		meaning:
			'Contact fields that a search covers: names and email, all text, all text except the email, or the search is ignored.',
	},
	articleSearchParameter: {
		allowed: ['q', 'search', 'query', 'term'],
		leftOpenBy: 'OPEN-11',
		meaning: 'Query parameter of the search term of articles.',
	},
	articleSearchWithoutTerm: {
		allowed: ['everything', 'nothing', 'rejected'],
		leftOpenBy: 'OPEN-11',
		meaning: 'Result of an article search without a term, or with another parameter for it.',
	},
	articleLimitMaximum: {
		allowed: ['none', 25],
		leftOpenBy: 'ARTICLE-3, ARTICLE-4',
		meaning: 'Most articles that a search returns, whatever limit is requested.',
	},

	// The clock of the service
	clockOffset: {
		allowed: [0, 3600, -3600],
		leftOpenBy: 'MESSAGE-17, CONTACT-15, CONTACT-16',
		meaning: 'Seconds by which the clock of the service is ahead of the clock of this machine.',
	},
	timestamps: {
		allowed: ['milliseconds', 'seconds', 'absent'],
		leftOpenBy: 'CONTACT-15, CONTACT-16',
		meaning: 'Precision of `createdAt` and `updatedAt` in contacts and listed records, if any.',
	},

	// Errors and the rate limit
	errorBody: {
		allowed: ['nested', 'flat', 'html', 'empty'],
		leftOpenBy: 'OPEN-16',
		meaning:
			'Shape of errors: `{error:{code,message}}`, `{code,message}`, an HTML page, or no body.',
	},
	refusals: {
		allowed: ['usual', 'other'],
		leftOpenBy: 'OPEN-14, OPEN-15, OPEN-17',
		meaning: 'Statuses of rejected requests, such as 404 or 422 for an unknown template.',
	},
	limiter: {
		allowed: ['fixedWindow', 'slidingWindow', 'tokenBucket'],
		leftOpenBy: 'LIMIT-1',
		meaning:
			'How a minute is counted: from the first request on, as the last 60 seconds, or as a bucket that refills evenly.',
	},
	rateLimitAnswer: {
		allowed: ['retryAfterSeconds', 'retryAfterDate', 'bare'],
		leftOpenBy: 'OPEN-18',
		meaning:
			'How a throttled request learns the wait: `Retry-After` in seconds, as a date, or not.',
	},
	service: {
		allowed: ['usual', 'odd'],
		leftOpenBy: 'OPEN-2, OPEN-8, OPEN-18, LIST-2, LIST-7',
		meaning:
			'Odd has unknown fields, message states and headers, successes with status 202, and one page for no records.',
	},
} as const;

/** The name of a variant. */
export type VariantName = keyof typeof variantDefinitions;

/** One value for each variant. */
export type Variants = {
	-readonly [Name in VariantName]: (typeof variantDefinitions)[Name]['allowed'][number];
};

/** The names of all variants, in the order of their definition. */
export const variantNames = Object.keys(variantDefinitions) as VariantName[];

/** The variants a sandbox starts with: the first allowed value of each. */
export function defaultVariants(): Variants {
	const entries = variantNames.map((name) => [name, variantDefinitions[name].allowed[0]]);
	return Object.fromEntries(entries) as Variants;
}

/**
 * Reads one variant as written on the command line.
 * @param assignment `name=value`
 * @returns undefined if there is no such variant or value
 */
export function parseVariant(assignment: string): Partial<Variants> | undefined {
	const all = variantNames.flatMap((name) =>
		variantDefinitions[name].allowed.map((value) => ({ [name]: value })),
	);
	return all.find((one) => Object.entries(one)[0].join('=') === assignment);
}
