import './harness/simulatedTime.mts';
import { test } from '@jest/globals';
import fc from 'fast-check';
import { inspect } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { longestPieceIn } from '../support/keys/keySpellings.mts';
import { passUntilDone } from './harness/clock.mts';
import { Contacts } from './harness/contacts.mts';
import type { Drawn } from './harness/draw.mts';
import { Messages } from './harness/messages.mts';
import { beginAnew, check } from './harness/model.mts';
import { credential, runThin, type Ran } from './harness/node.mts';
import { Service, type Answer, type Fault } from './harness/service.mts';
import { Violation } from './harness/violation.mts';

/** The API key: every sign in it that has a meaning in an address or a pattern. */
const key = 'sk_test_4fKd+9z/Qm=7(Wx%z1)$&*Tb|[Lc?Vn^8.Hy';

const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0');

/** The key in the spellings that the node promises to redact. */
const spellings = [
	key,
	key.toUpperCase(),
	`https://user:${encodeURIComponent(key)}@evil.example/`,
	key.replace(/./g, (sign) => `%${hexOf(sign)}`),
	key.replace(/[_A-K]/g, (sign) => `\\u00${hexOf(sign)}`),
	JSON.stringify(JSON.stringify({ 'x-api-key': `${key}/` })),
];

/** The key in a text, also where one of the lengths ends to which the node shortens texts. */
const withKey = fc
	.tuple(
		fc.oneof(fc.nat(1_100), fc.constantFrom(0, 52, 92, 480, 1_980, 9_980)),
		fc.constantFrom(...spellings),
		fc.constantFrom('', '…', ' and more', '"}'),
	)
	.map(([before, spelling, rest]) => 'x'.repeat(before) + spelling + rest);

/** Any text of a service. */
const text = fc.oneof(
	{ weight: 4, arbitrary: withKey },
	fc.constantFrom('', '\ud800', '{{name|there}}', '<img src=x>\n', '</div>'.repeat(10_000)),
	fc.string({ unit: 'binary' }),
);

/** Any JSON, as text: a value can't hold all of it, such as a number out of range. */
const json = fc.oneof(
	{ weight: 4, arbitrary: text.map((one) => JSON.stringify(one)) },
	fc.json({ maxDepth: 3 }),
	fc.constantFrom('null', '-0', '1e999', '[]', '{}', '[null]', '{"":1}', '{"__proto__":{}}'),
);

/** The errors of services, where VALUE is JSON. */
const errorBodies = [
	'{"error":{"code":VALUE,"message":VALUE}}',
	'{"code":"IDEMPOTENT_REPLAY","message":VALUE}',
	'{"errors":[{"field":VALUE,"message":VALUE}]}',
	'{"type":VALUE,"title":VALUE,"detail":VALUE}',
];

const response = fc.record({
	statusCode: fc.constantFrom(
		...[200, 200, 200, 200, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503, 999],
	),
	headers: fc.record({ 'retry-after': text, location: text, date: text }, { requiredKeys: [] }),
	body: fc.oneof(
		/** The right one, in which the value with this number is another one. */
		fc.record({ place: fc.nat(30), json }),
		fc
			.tuple(fc.constantFrom(...errorBodies), json)
			.map(([body, value]) => body.replaceAll('VALUE', () => value)),
		text.map((title) => `<!DOCTYPE html><html><head><title>${title}</title></head>${title}`),
		text,
	),
});

/** The message of what n8n's HTTP client throws. */
const thrown = fc.record({ thrown: text });

/** An update of one of two contacts with the same address, whose IDs have the key in them. */
const ambiguous = {
	operation: 'updateContact',
	contact: { __rl: true, mode: 'email', value: 'two@example.com' },
	fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
};

/** Of its columns, a hint names one. */
const item = { notes: 'Met', '<img src=x>': 1 };

const history = fc.record({
	run: fc.constantFrom<IDataObject>(...Object.values(oneRequestEach), ambiguous),
	continues: fc.boolean(),
	/** To the first requests; all further ones are right. */
	answers: fc.array(fc.oneof({ weight: 10, arbitrary: response }, thrown), { maxLength: 6 }),
});

type History = Drawn<typeof history>;

test('whatever the service answers, no text shows the key, is long, or has markup', async () => {
	await check({ history, play, runs: 1000, storyOf: (one) => inspect(one, { depth: 9 }) });
});

async function play({ run, continues, answers }: History): Promise<void> {
	beginAnew(1);
	const contacts = new Contacts({}, Math.random);
	contacts.add(unknownContact, { firstName: 'Ada', email: 'ada@example.com' });
	for (const number of [1, 2]) contacts.add(`${number}-${key}`, { email: 'two@example.com' });
	const service = new Service({
		contacts,
		messages: new Messages({
			...{ failureAnswer: 502, rejectedIsFailed: true, failedAndDifferent: 'IDEMPOTENT_REPLAY' },
		}),
		recordsOf: () => ['{"id":"x1","title":"One"}'],
		latency: () => 5,
		arrives: (_asked, number) => faultOf(answers[number]),
	});
	const playing = runThin({
		items: [item],
		parameters: () => run,
		ask: async (request) => await service.ask(request),
		own: {
			getCredentials: async () => ({ ...credential, apiKey: key }),
			continueOnFail: () => continues,
		},
	});
	const ran = await passUntilDone(playing);
	const hasFailed = ran.thrown !== undefined || ran.all.some(({ error }) => error !== undefined);
	if (answers.length === 0 && hasFailed !== (run === ambiguous))
		throw new Violation('no error without a reason', inspect(ran));
	checkTexts(ran);
}

function faultOf(answer: History['answers'][number] | undefined): Fault | undefined {
	if (!answer) return undefined;
	return {
		isDone: true,
		respond(right): Answer {
			if ('thrown' in answer) {
				const config = { headers: { authorization: `Bearer ${key}` } };
				throw Object.assign(new Error(answer.thrown, { cause: { config } }), { config });
			}
			const { body, ...rest } = answer;
			const headers = rest.headers as Answer['headers'];
			return { ...rest, headers, body: typeof body === 'string' ? body : changed(right!, body) };
		},
	};
}

/** A right answer with another value in one place. */
function changed({ body }: Answer, { place, json }: { place: number; json: string }): string {
	const values = [...body.matchAll(/(?<=[:,[])(?:"[^"]*"(?!:)|\d+|null)/g)];
	const { index, 0: value } = values[place % values.length];
	return body.slice(0, index) + json + body.slice(index + value.length);
}

const everything = { depth: 99, showHidden: true, maxStringLength: null, maxArrayLength: null };

/** In characters: a title, a description and its frame. */
const longest = 3_000;

function checkTexts({ thrown, error, hints, all }: Ran): void {
	const ofItems = all.flatMap((item) => ('id' in item ? [] : String(item.error ?? '')));
	const texts = [error ?? '', ...hints, ...ofItems];
	const piece = longestPieceIn(inspect([thrown, texts], everything), key);
	if (piece) throw new Violation('the key is in none of our words', piece);
	for (const text of texts) {
		if (text.length > longest) throw new Violation('texts have a bound', text.slice(0, 600));
		if (/<[a-z/!?]/i.test(text)) throw new Violation('texts have no markup', text.slice(0, 600));
	}
}
