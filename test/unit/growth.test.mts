import { describe, expect, test } from '@jest/globals';
import { rejectionOf } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/rejection';
import { changesBetween } from '../../nodes/CrmWorkspace/operations/updateContact/changes';
import { tagsIn } from '../../nodes/CrmWorkspace/operations/updateContact/tags';
import { articlesIn, messageIn, pageIn, recordIn } from '../../nodes/CrmWorkspace/service/answers';
import { valueProblem } from '../../nodes/CrmWorkspace/service/contactValues';
import {
	namesReference,
	namesWithoutValue,
	saysEmailTaken,
	saysNoContact,
	saysOnlyNotFound,
} from '../../nodes/CrmWorkspace/service/errorWords';
import { addressProblem, isUuid, normalizedEmail } from '../../nodes/CrmWorkspace/service/formats';
import { Census } from '../../nodes/CrmWorkspace/service/lists/census';
import { headProblem } from '../../nodes/CrmWorkspace/service/characters';
import { missingTokens, tokenValues } from '../../nodes/CrmWorkspace/service/tokens';
import {
	credentialProblem,
	normalizedBaseUrl,
	type CrmWorkspaceCredential,
} from '../../nodes/CrmWorkspace/transport/credential/credential';
import {
	readServiceError,
	statedCode,
} from '../../nodes/CrmWorkspace/transport/errors/serviceError';
import { listed, plainText } from '../../nodes/CrmWorkspace/text/plainText';
import { conflictCode } from '../../nodes/CrmWorkspace/service/conflictCode';
import { inOneText, plainError } from '../../nodes/CrmWorkspace/transport/errors/nodeError';
import { keyRemover } from '../../nodes/CrmWorkspace/transport/credential/withoutKey';
import {
	isKeyRefused,
	type FailedAttempt,
} from '../../nodes/CrmWorkspace/transport/errors/failure';
import { readAnswer, type Answer } from '../../nodes/CrmWorkspace/transport/http/answer';
import { faultIn } from '../../nodes/CrmWorkspace/transport/http/fault';
import { askedWait } from '../../nodes/CrmWorkspace/transport/http/retryAfter';
import { beganAt } from '../../nodes/CrmWorkspace/service/serviceTime';
import { trimmed, withoutInvisible } from '../../nodes/CrmWorkspace/text/invisible';
import { titleOf, visibleText } from '../../nodes/CrmWorkspace/transport/errors/webPage';
import { cpuTime } from '../support/engine/cpuTime.mts';
import { answered } from '../support/simulated/attempts.mts';

const key = 'sk_test_a-b.c/d+e=?1';
const credential = {
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	apiKey: key,
	requestsPerMinute: 60,
} as CrmWorkspaceCredential;

const withoutKey = keyRemover(key);

/** What comes of an answer in which everything is what was asked for, or nothing. */
const outcomeOf = (
	statusCode: number,
	text: string,
	headers = {},
	read: (one: Answer) => unknown = () => 1,
) => readAnswer({ statusCode, headers, text, took: 1 }, read, withoutKey, 0);
const answer = (body: unknown): Answer => ({ statusCode: 200, headers: {}, body, took: 1 });

/** All that reads text of others. */
const readers: Record<string, (text: string) => unknown> = {
	'an error': (text) => [readServiceError(text), statedCode(text)],
	'an error with a code': (text) => readServiceError({ code: text, message: text, errors: [text] }),
	'an error by field': (text) => readServiceError({ errors: { [text]: [text, text] } }),
	'the code of a conflict': (text) => conflictCode(answered(409, { body: text })),
	'a refused key': (text) => isKeyRefused(answered(403, { code: text, message: text })),
	'a page': (text) => [titleOf(text), visibleText(text)],
	'the body of an error': (text) => outcomeOf(409, text),
	'the body of an answer': (text) => outcomeOf(200, text, {}, () => undefined),
	'JSON of it': (text) => outcomeOf(200, JSON.stringify({ data: [text], [text]: text })),
	'a redirect': (text) => outcomeOf(302, '', { location: text }),
	'a wait': (text) => askedWait({ 'retry-after': text }, 0),
	'a date': (text) => askedWait({ 'retry-after': '2026-01-01T00:00Z', date: text }, 0),
	'the time of an answer': (text) => beganAt({ date: text }, 1),
	'words on a contact': (text) => saysNoContact({ code: text, message: text }),
	'words on an email address': (text) => saysEmailTaken({ code: text, message: text }),
	'words on a reference': (text) => namesReference('template', { code: text, message: text }),
	'words on tokens': (text) => namesWithoutValue({ code: text, message: text }),
	'words on nothing': (text) => saysOnlyNotFound({ code: text, message: text }),
	'plain text': plainText,
	'a list of names': (text) => listed([text, text]),
	'the words of an error': (text) => inOneText({ message: text, description: text }, withoutKey),
	'an error that leaves': (text) =>
		plainError(Object.assign(new Error(text), { context: { text } }), withoutKey),
	'a fault': (text) => faultIn(Object.assign(new Error(text), { code: text })),
	'a key': withoutKey,
	'what can be seen': withoutInvisible,
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
		const census = new Census(['createdAt', 'updatedAt']);
		census.beginRound({ records, asOf: 0 });
		return census.records();
	},
	answers: (text) =>
		[recordIn, messageIn, pageIn, articlesIn].map((read) =>
			read(answer({ data: [text], success: text, [text]: text })),
		),
	'a base URL': (text) => normalizedBaseUrl({ ...credential, baseUrl: text }),
	'a credential': (text) => [
		credentialProblem({ ...credential, baseUrl: `http://x/${text}` }),
		credentialProblem({ ...credential, apiKey: text }),
	],
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
			const outcome = outcomeOf(statusCode, text, {}, recordIn);
			expect(outcome).toHaveProperty('failed.statusCode', statusCode);
			const { failed } = outcome as { failed: FailedAttempt };
			expect(() => conflictCode(failed)).not.toThrow();
		}
		const error = Object.assign(new Error('x'), { context: JSON.parse(text) as unknown });
		expect(plainError(error, withoutKey)).toBe(error);
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
