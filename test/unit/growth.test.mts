import { describe, expect, test } from '@jest/globals';
import { rejectionOf } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/rejection';
import {
	changesBetween,
	normalizedEmail,
} from '../../nodes/CrmWorkspace/operations/updateContact/changes';
import { tagsIn } from '../../nodes/CrmWorkspace/operations/updateContact/tags';
import { articlesIn, pageIn, recordIn } from '../../nodes/CrmWorkspace/service/answers';
import { valueProblem } from '../../nodes/CrmWorkspace/service/contactValues';
import {
	namesReference,
	saysEmailTaken,
	saysNoContact,
	saysOnlyNotFound,
} from '../../nodes/CrmWorkspace/service/errorWords';
import { addressProblem, isUuid } from '../../nodes/CrmWorkspace/service/formats';
import { ListOrder } from '../../nodes/CrmWorkspace/service/listOrder';
import { setOf } from '../../nodes/CrmWorkspace/service/recordSet';
import { headProblem } from '../../nodes/CrmWorkspace/service/characters';
import { missingTokens, tokenValues } from '../../nodes/CrmWorkspace/service/tokens';
import {
	credentialProblem,
	normalizedBaseUrl,
	type CrmWorkspaceCredential,
} from '../../nodes/CrmWorkspace/transport/credential';
import { readServiceError, statedCode } from '../../nodes/CrmWorkspace/transport/errorBody';
import { listed, plainText } from '../../nodes/CrmWorkspace/transport/foreignText';
import { readCodedError } from '../../nodes/CrmWorkspace/transport/knownCode';
import { isBroken, isInsecure } from '../../nodes/CrmWorkspace/transport/networkCode';
import { inOneText } from '../../nodes/CrmWorkspace/transport/nodeError';
import { readExchange } from '../../nodes/CrmWorkspace/transport/readExchange';
import { failureDetails, redactor } from '../../nodes/CrmWorkspace/transport/redact';
import { askedWait } from '../../nodes/CrmWorkspace/transport/retryAfter';
import { beganAt } from '../../nodes/CrmWorkspace/transport/serviceTime';
import { trimmed, visible } from '../../nodes/CrmWorkspace/transport/visible';
import { titleOf, visibleText } from '../../nodes/CrmWorkspace/transport/webPage';
import { cpuTime } from '../support/cpuTime.mts';

const key = 'sk_test_a-b.c/d+e=?1';
const credential = {
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	apiKey: key,
	requestsPerMinute: 60,
} as CrmWorkspaceCredential;

const json = (value: unknown) =>
	readExchange({ statusCode: 200, headers: {}, text: JSON.stringify(value) }, (body) => body, 0);
const header = (name: string) => (text: string) =>
	askedWait({ statusCode: 429, headers: { [name]: text } }, 0);

/** All that reads text of others. */
const readers: Record<string, (text: string) => unknown> = {
	'an error': (text) => [readServiceError(text), statedCode(text)],
	'an error with a code': (text) => readServiceError({ code: text, message: text, errors: [text] }),
	'an error by field': (text) => readServiceError({ errors: { [text]: [text, text] } }),
	'a known code': (text) => readCodedError(text, text, ['IDEMPOTENT_REPLAY']),
	'a page': (text) => [titleOf(text), visibleText(text)],
	'the body of an error': (text) =>
		readExchange({ statusCode: 409, headers: { location: text }, text }, () => 1, 0, ['A_B']),
	'the body of an answer': (text) =>
		readExchange({ statusCode: 200, headers: {}, text }, () => undefined, 0),
	'JSON of it': (text) => json({ data: [text], [text]: text }),
	'a redirect': (text) =>
		readExchange({ statusCode: 302, headers: { location: text }, text: '' }, () => 1, 0),
	'a wait': header('retry-after'),
	'a reset': header('x-ratelimit-reset'),
	'a date': header('date'),
	'the time of an answer': (text) => beganAt({ date: text }, 1),
	'words on a contact': (text) => saysNoContact({ code: text, message: text }),
	'words on an email address': (text) => saysEmailTaken({ code: text, message: text }),
	'words on a reference': (text) => namesReference({ code: text, message: text }),
	'words on nothing': (text) => saysOnlyNotFound({ code: text, message: text }),
	'plain text': plainText,
	'a list of names': (text) => listed([text, text]),
	'the words of an error': (text) => inOneText({ message: text, description: text }),
	'a key': redactor(key),
	'anything like a key': (text) =>
		failureDetails(credential, 'GET /', { message: text, attempts: 1, waited: 0 }),
	'what can be seen': visible,
	'what can be seen at its ends': trimmed,
	'an ID': isUuid,
	'an address': addressProblem,
	'a line of the head': headProblem,
	'an address that is compared': normalizedEmail,
	'a value': (text) => [valueProblem('email', text), valueProblem('source', text)],
	'values that are compared': (text) =>
		changesBetween({ notes: text, tags: [text] }, { notes: `${text}x`, tags: [text, 'x'] }, [
			'notes',
			'tags',
		]),
	tokens: (text) => missingTokens(text, { [text]: 1 }),
	'tokens with values': (text) => tokenValues(text, { a: { b: [1] } }),
	'a token': (text) => missingTokens(`{{${text.replace(/[{}]/g, '')}}}`, { a: 1 }),
	tags: tagsIn,
	'a rejection': (text) => rejectionOf({ status: text, error: text, errorReason: text }),
	records: (text) => {
		const records = [{ id: text, updatedAt: text }, { name: text }, { updatedAt: `${text}x` }];
		new ListOrder().observe(records);
		return setOf(records).records();
	},
	answers: (text) => [recordIn(text), pageIn({ data: [text] }, 200), articlesIn(text, 200)],
	'a base URL': (text) => normalizedBaseUrl({ ...credential, baseUrl: text }),
	'a credential': (text) => [
		credentialProblem({ ...credential, baseUrl: `http://x/${text}` }),
		credentialProblem({ ...credential, apiKey: text }),
	],
	'a network code': (text) => [isBroken(text), isInsecure(text)],
};

/** What expressions stumble over when it comes often. */
const pieces = [
	...[
		' ',
		'\n',
		'\t',
		'<',
		'<title',
		'<title ',
		'<script ',
		'<script></script',
		'<!--',
		'-->',
		'<a ',
	],
	...[
		'a',
		'A',
		'Ab',
		'A_',
		'a_',
		'A_B ',
		'a ',
		'a: ',
		'.',
		'. ',
		';',
		',',
		':',
		'/',
		'//',
		'-',
		'|',
	],
	...[
		'@',
		'a@',
		'a@b.',
		'@.',
		'\\',
		'\\\\"',
		'\\u00',
		'\\u0073',
		'%',
		'%25',
		'%2573',
		'&',
		'&#',
		'](',
		'![',
	],
	...['{', '{{', '{{a', '{{a|', '}}', '[', '[1', '[1]', '["', '(', '"', "n't ", "'"],
	...[
		'0',
		'0:00',
		'0.',
		'00000000-',
		'2026-01-01T00:00 ',
		'contact ',
		'contact a ',
		'a contact of ',
	],
	...[
		'no contact ',
		'email ',
		'e mail ',
		'email a ',
		'duplicate ',
		'already exists ',
		'unique constraint ',
	],
	...['not found ', 'the ', 'resource ', 'query results for model ', 'template'],
	...['\u200b', '\u200d', 'é', '\u0301', '\u0301\u0316', '\ufb03', '\ud83d', '👩‍🔬', '\r'],
	...['sk_test_', key.slice(0, -1), Buffer.from(key).toString('base64').slice(0, -3), 'c2s'],
];

/** Texts made of a piece: it alone, with other letters around it, and with no end. */
const shapes: Array<(filling: string) => string> = [
	(filling) => filling,
	(filling) => `x${filling}x`,
	(filling) => `<h>${filling}\n!`,
];

/** How many characters the smaller text has, and how many times as many the larger one. */
const size = 4_000;
const times = 8;

/** Between what is linear, which grows like the text, and what grows with its square. */
const most = 3 * times;

describe('eight times the text takes eight times as long, and not sixty-four times', () => {
	const fill = (piece: string, length: number) =>
		piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
	const walk = (text: string) => [...text].reduce((sum, one) => sum + one.length, 0);
	// The unit: looking at each character of the smaller text. What takes less is not told apart.
	const unit = Math.max(...[1, 2, 3].map(() => cpuTime(() => walk(fill('ab', size))))) + 0.2;

	test.each(Object.entries(readers))('to read %s', (_what, read) => {
		const growth = (piece: string, shape: (filling: string) => string) => {
			const [small, large] = [size, times * size].map((length) => shape(fill(piece, length)));
			const once = () => (cpuTime(() => read(large)) + unit) / (cpuTime(() => read(small)) + unit);
			// Memory may have been cleared up meanwhile: the smallest of some counts.
			let least = once();
			for (let tries = 0; least > most && tries < 20; tries++) least = Math.min(least, once());
			return least;
		};
		// What runs for the first time is compiled meanwhile, which is no part of the measure.
		for (let run = 0; run < 5; run++) read(fill('ab', times * size));
		const slow: string[] = [];
		for (const piece of pieces) {
			for (const [index, shape] of shapes.entries()) {
				// Some are enough to know, and what is slow takes long.
				const grown = slow.length < 3 ? growth(piece, shape) : 0;
				if (grown > most) slow.push(`${JSON.stringify(piece)} (${index}): ${grown.toFixed(1)}`);
			}
		}
		expect(slow).toEqual([]);
	});
});

describe('lists and objects within one another', () => {
	const depth = 20_000;
	const bombs = {
		lists: '['.repeat(depth) + ']'.repeat(depth),
		objects: '{"error":'.repeat(depth) + '1' + '}'.repeat(depth),
		both: '{"errors":['.repeat(depth) + ']}'.repeat(depth),
	};

	test.each(Object.entries(bombs))('%s break nothing that reads an answer', (_what, text) => {
		for (const statusCode of [200, 201, 400, 409, 503]) {
			const reading = readExchange({ statusCode, headers: {}, text }, recordIn, 0, ['A_B']);
			expect(reading).toHaveProperty('failed.statusCode', statusCode);
		}
		expect(JSON.stringify(redactor(key)(JSON.parse(text) as unknown)).length).toBeLessThan(10_000);
	});
});

test('characters that are looked for around others take no longer than the text warrants', () => {
	const read = (text: string) => [headProblem(text), addressProblem(text)];
	// What is compiled or collected meanwhile is not the text's.
	const least = (work: () => unknown) => Math.min(...[1, 2, 3].map(() => cpuTime(work)));
	const texts = [
		'a',
		'\u200d',
		'é\u200c',
		'é\u200cé',
		'🔬\u200d',
		'🔬\ufe0f',
		' ',
		'a@',
		'a.',
		'=?',
	];
	for (const text of texts) {
		const short = text.repeat(20_000);
		// Ten of them at a time: the clock of a process may tell no less than four milliseconds.
		const tenShort = least(() => Array.from({ length: 10 }, () => read(short)));
		const long = least(() => read(short.repeat(10)));
		expect(long).toBeLessThan(3 * (tenShort + 10));
	}
});
