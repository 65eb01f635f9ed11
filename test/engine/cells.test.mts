import { beforeEach, describe, expect, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import {
	automaticUpdate,
	byId,
	manualUpdate,
	runUpdate,
	storeContacts,
	storedContact,
	storedContacts,
	type StoredContact,
} from '../support/engine/updates.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests({ contacts: 3 });
let ada: StoredContact;
beforeEach(async () => {
	const [first, ...others] = await storedContacts(sandbox);
	const held = { ...first, phone: '+44 20', tags: ['vip', 'Köln'], notes: 'Met in May' };
	[ada] = await storeContacts(sandbox, [held, ...others]);
});

const now = async () => await storedContact(sandbox, ada);

/** What one row of a table does to Ada, whose columns are mapped automatically. */
const row = async (columns: object, options: INodeParameters = {}) => {
	const items = [{ id: ada.id, ...columns }];
	const { json, hints } = await runUpdate(sandbox, automaticUpdate(byId, options), items);
	return { error: json[0].error as string | undefined, now: await now(), hints };
};

/** What an item does to Ada, of which these fields are mapped by hand. */
const byHand = async (
	value: Record<string, string | null>,
	item: object = {},
	options: INodeParameters = {},
) => {
	const items = [{ id: ada.id, ...item }];
	const { json, hints } = await runUpdate(sandbox, await manualUpdate(byId, value, options), items);
	const messages = hints.map(({ message }) => message);
	return { result: json[0], error: String(json[0].error), now: await now(), messages };
};

describe('tags as text', () => {
	test.each([
		['brackets or quotes: “[vip, gold]”', '[vip, gold]'],
		['brackets or quotes: “["vip","gold"]”', '["vip","gold"]'],
		['a semicolon: “vip;gold”', 'vip;gold'],
		['a bar: “vip|gold”', 'vip|gold'],
		['a line break: “vip gold”', 'vip\ngold'],
	])('are refused if something else than commas separates them: %s', async (problem, tags) => {
		const { error, now } = await row({ Tags: tags });
		expect(error).toContain(`'Tags' has ${problem}`);
		expect(error).toContain('{ { String($json.Tags ?? "")');
		expect(now).toEqual(ada);
	});

	test("are refused if one isn't a value", async () => {
		const { error, now } = await row({ tags: 'vip, #REF!' });
		expect(error).toContain("'Tags' has “#REF!”, which isn't a value");
		expect(now).toEqual(ada);
	});

	test.each<unknown>([
		...["['vip', 'gold']", '[vip, gold]', '["vip","gold"]', '"vip","gold"', '{vip,gold}'],
		...['vip, gold', ['vip', 'gold']],
	])('the advice makes tags of %j', async (tags) => {
		const { error } = await row({ tags: ';' });
		// Braces in an error item are apart, so that an alert can show it.
		const [, code] = /\{ \{(.*)\} \}/.exec(error!)!;
		const { now } = await byHand({ tags: `={{${code}}}` }, { tags });
		expect(now.tags).toEqual(['vip', 'gold']);
	});

	test.each<unknown>([[{ name: 'vip' }], { vip: true }, ['vip', { a: 1 }]])(
		'of objects are refused: %j',
		async (tags) => {
			const { error, now } = await row({ tags });
			expect(error).toContain('such as { { $json.tags.pluck("name") } }');
			expect(now).toEqual(ada);
		},
	);

	test.each<[unknown, string[]]>([
		['vip, gold', ['vip', 'gold']],
		["[DE] News, 's-Hertogenbosch", ['[DE] News', "'s-Hertogenbosch"]],
		['vip، gold，x、y', ['vip', 'gold', 'x', 'y']],
		['#VIP!, #1', ['#VIP!', '#1']],
		[" vip ,, Women's\u200b", ['vip', "Women's"]],
		[5, ['5']],
		[['vip', null, ''], ['vip']],
		[
			['[draft]', 'a; b', ' \u202avip\u202c'],
			['[draft]', 'a; b', 'vip'],
		],
	])('%j is %j', async (tags, stored) => {
		expect((await row({ tags })).now.tags).toEqual(stored);
	});

	test.each(['add', 'remove'])('are compared as they look: %s', async (mode) => {
		const { now } = await row({ tags: `${'Köln'.normalize('NFD')}, vip\u200b` }, { tagMode: mode });
		expect(now.tags).toEqual(mode === 'add' ? ada.tags : []);
	});
});

describe('Empty Values: Clear', () => {
	const clear = { emptyValues: 'clear' };

	test('never takes the address of a contact', async () => {
		const { error, now } = await row({ email: '', company: '' }, clear);
		expect(error).toBeUndefined();
		expect(now).toMatchObject({ email: ada.email, company: '' });
	});

	test('takes nothing if the expression gives nothing, and a hint names the fields', async () => {
		const value = {
			phone: '={{ $json.phone }}',
			jobTitle: '={{ $json.title }}',
			tags: '={{ $json.t }}',
		};
		const { now, messages } = await byHand(value, { Phone: '+49', title: 'Countess' }, clear);
		expect(now).toMatchObject({ phone: ada.phone, tags: ada.tags, jobTitle: 'Countess' });
		expect(messages).toContain('No updated item has a value for Phone, Tags');
	});

	test.each([0, false])('takes nothing where a cell has %j, which is a value', async (cell) => {
		const { now } = await row({ phone: cell }, clear);
		expect(now.phone).toBe(String(cell));
		const byExpression = await byHand({ company: '={{ $json.cell }}' }, { cell }, clear);
		expect(byExpression.now.company).toBe(String(cell));
	});
});

test.each([null, '', ' '])(
	'a row with nothing but blank cells (%j) changes nothing',
	async (phone) => {
		const { result, now } = await byHand({ phone: '={{ $json.phone }}' }, { phone });
		expect(result).toEqual({ _result: 'unchanged', _changes: {}, id: ada.id });
		expect(now).toEqual(ada);
	},
);

describe('a mapped expression', () => {
	test('that gives nothing in any item is named in a hint, without Clear, too', async () => {
		const value = { phone: '={{ $json.phone }}', jobTitle: '={{ $json.title }}' };
		const { messages } = await byHand(value, { title: 'Countess' });
		expect(messages).toContain('No updated item has a value for Phone');
	});

	test('that gives nothing in an item without other values: the error names the column', async () => {
		const { error, messages } = await byHand({ phone: '={{ $json.phone }}' }, { Phone: '+49' });
		expect(error).toContain('Nothing to update: no field has a value');
		expect(error).toContain('the item has “Phone”, not “phone”');
		expect(messages.join()).not.toContain('No updated item');
	});

	test.each([
		{ body: { first: 'Ada', last: null, message: 'annulliert' } },
		{ query: { utm_source: 'undefined' }, body: { first: 'Ada' } },
	])('with a hole is refused, whatever other columns say: %j', async (item) => {
		const value = { lastName: '={{ $json.body.first + " " + $json.body.last }}' };
		expect((await byHand(value, item)).error).toContain("'Last Name' is incomplete");
	});
});

describe('what is never a value is refused with its column', () => {
	test.each<unknown>([
		...['[object Object]', 'undefined', 'NaN', '#N/A', '#REF!', '#DIV/0!', '#NAME?'],
		...['#NV', '#N/D', '#¿NOMBRE?', '#ZAHL!', '########'],
		...['M\ufffdller', '#BEZUG!', '#¡VALOR!', '#N/B', 'Invalid DateTime', '#ÜBERLAUF!', 'Err:502'],
		...['4.9170123E+11', '4,9E+11', 1e21, 12345678901234568, Number.MAX_VALUE],
	])('%j', async (phone) => {
		const { error, now } = await row({ phone });
		expect(error).toMatch(/^'Phone' is “.+”, which isn't a value\..* map the fields by hand/);
		expect(now).toEqual(ada);
		// Notes keep their blanks, and are no value with them either.
		if (typeof phone === 'string') expect((await row({ notes: `${phone} ` })).now).toEqual(ada);
	});

	test.each<[string, unknown]>([
		['phone', 'N/A'],
		['phone', '-'],
		['phone', 'NULL'],
		['phone', '#1'],
		['phone', '1234567890123456'],
		['firstName', 'Nan'],
		['company', '3E8'],
		['company', '#1 Club!'],
		['company', '#ACME!'],
		['company', 'recruitmentagency'],
		['jobTitle', 'reconfigurability'],
		['notes', 'He said NaN, [object Object] and #REF!'],
		['phone', 491701234567890],
	])('but %s %j is stored', async (name, value) => {
		expect((await row({ [name]: value })).now[name]).toBe(String(value));
	});
});

describe('columns', () => {
	test.each(['First Name', 'first_name', 'FIRSTNAME', 'first-name', '\ufefffirstName'])(
		'%j is First Name',
		async (column) => {
			const { now, hints } = await row({ [column]: 'Augusta' });
			expect(now.firstName).toBe('Augusta');
			expect(hints).toEqual([]);
		},
	);

	test('two for one field are refused by name', async () => {
		expect((await row({ 'First Name': 'A', first_name: 'A' })).now.firstName).toBe('A');
		const [before] = await storedContacts(sandbox);
		const { error, now } = await row({ 'First Name': 'A', first_name: 'B' });
		expect(error).toContain("“first_name” is a second column for 'First Name'");
		expect(now).toEqual(before);
	});
});

describe('what is pasted along', () => {
	test.each([
		['phone', '\u202a+49 170\ufe0e 1\u202c', '+49 170 1'],
		['firstName', '\u2067עדה\u2069', 'עדה'],
		['company', '\u200bAcme\u0000\n', 'Acme'],
		['lastName', 'می\u200cخواهم', 'می\u200cخواهم'],
		['notes', ' two\nlines\u202c ', ' two\nlines\u202c '],
		['email', '\ufeffnew@example.com\u200b', 'new@example.com'],
		['email', 'New <new@example.com>', 'new@example.com'],
		['source', '\u00adreferral', 'referral'],
		['source', 'Website', 'website'],
		['source', 'Cold call', 'cold_call'],
		['source', 'TRADE-SHOW', 'trade_show'],
	])('%s %j is stored as %j', async (name, value, stored) => {
		expect((await row({ [name]: value })).now[name]).toBe(stored);
	});

	test.each(['Ac\u0000me', 'Acme\nLondon'])('%j is refused within a line', async (company) => {
		const { error, now } = await row({ company });
		expect(error).toContain("'Company' has a line break or control character");
		expect(now).toEqual(ada);
	});
});
