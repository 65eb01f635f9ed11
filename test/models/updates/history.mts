import fc from 'fast-check';
import { contactFields } from '../harness/contacts.mts';
import { maybe, weighted } from '../harness/draw.mts';

/** What the node calls the option that decides on fields that a row does not map. */
export const unmappedOption = 'unmappedFields';

export type Field = (typeof contactFields)[number];
export type Values = Partial<Record<Field, unknown>>;

/** Some addresses contain others, which a search for these brings, too. */
export const people = ['ada@x.co', 'nada@x.co', 'ada@x.com', 'ben@x.co', 'ben@x.co.uk', 'fay@x.co'];
const newAddresses = ['new.one@x.co', 'new.two@x.co'];
export const tagNames = ['vip', 'news', 'trial', 'late'].map((name) => `tag-${name}`);
const sources = ['website', 'referral', 'cold_call', 'marketing', 'trade_show', 'partner'];
const everyField: Field[] = [...contactFields];
const withoutEmail = everyField.filter((name) => name !== 'email');
const texts = withoutEmail.filter((name) => name !== 'source' && name !== 'tags');

/** What a contact has before the first request. A source `import` is refused when it is sent. */
const person = fc.record({
	has: fc.subarray(texts),
	source: weighted([3, ''], [3, 'referral'], [1, 'import']),
	tags: fc.subarray(tagNames),
});

/** How the service reads what the interface leaves open. */
const variants = fc.record({
	/** The fields that lose their values where a PUT leaves them out. */
	empties: fc.oneof(
		{ weight: 2, arbitrary: fc.constant<Field[]>([]) },
		{ weight: 2, arbitrary: fc.constant(withoutEmail) },
		{ weight: 1, arbitrary: fc.constant(everyField) },
		{ weight: 2, arbitrary: fc.subarray(everyField) },
	),
	/** To a PUT: a partial record does not have the fields that it hides. */
	response: weighted([4, 'record'], [2, 'partial'], [1, '{"data":null}'], [1, '{}']),
	hides: fc.subarray(everyField),
	ignoresNull: weighted([5, false], [1, true]),
	/** The status for an email that another contact has. */
	taken: fc.constantFrom(409, 422),
	search: weighted([6, 'covers addresses'], [2, 'covers names'], [1, 'is ignored']),
	pageSize: weighted([2, 100], [1, 2]),
	/** How a list shows a field without a value. */
	missing: fc.constantFrom('null', 'absent', 'empty'),
});

type By = 'email' | 'id' | 'list';

const field = (email: number) =>
	fc.record({
		name: fc.oneof(
			{ weight: email, arbitrary: fc.constant<Field>('email') },
			{ weight: 2, arbitrary: fc.constant<Field>('tags') },
			{ weight: 1, arbitrary: fc.constant<Field>('source') },
			{ weight: 6, arbitrary: fc.constantFrom(...texts) },
		),
		kind: weighted([6, 'own'], [1, 'empty'], [1, 'as it was']),
		pick: fc.nat(59),
	});

/**
 * Rows before their values are known: see `rowsOf`.
 * @param by how they name their contacts
 * @param email how often they give one another address
 */
const drafts = (by: fc.Arbitrary<By>, email: number) => {
	const most = { minLength: 1, maxLength: 3 };
	const draft = fc.record({
		by,
		/** An index of people, or of addresses that one may get; those beyond belong to no contact. */
		contact: fc.oneof({ weight: 2, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(8) }),
		isUpperCase: weighted([5, false], [1, true]),
		fields: fc.uniqueArray(field(email), { ...most, selector: ({ name }) => name }),
	});
	return fc.array(draft, { minLength: 1, maxLength: 6, size: 'max' });
};

const execution = fc.record({
	drafts: fc.oneof(
		{ weight: 4, arbitrary: drafts(fc.constant('email'), 1) },
		{ weight: 2, arbitrary: drafts(fc.constant('email'), 10) },
		{ weight: 1, arbitrary: drafts(fc.constant('id'), 2) },
		{ weight: 1, arbitrary: drafts(fc.constant('list'), 1) },
	),
	unmapped: weighted([7, 'auto'], [2, 'preserve'], [1, 'leave']),
	tags: fc.constantFrom('replace', 'add', 'remove'),
	skipUnchanged: fc.boolean(),
	dryRun: weighted([11, false], [1, true]),
	emptyValues: weighted([2, 'ignore'], [1, 'clear']),
	goesOn: weighted([2, true], [1, false]),
	tries: weighted([2, 1], [1, 2], [1, 3]),
	concurrency: fc.constantFrom(1, 2, 5),
	/** When it begins where executions are side by side, in ms. */
	begins: fc.nat(60),
});

const contact = weighted([3, 0], [2, 1], [1, 2], [1, 3]);

/** PUTs to a contact that go wrong, by number. */
const fault = fc.record({
	kind: fc.constantFrom('executed, no response', 'answered 500', 'refused with 422'),
	contact,
	from: weighted([3, 0], [2, 1], [1, 2]),
	times: weighted([3, 5], [2, 1], [1, 99]),
});

/** What another user changes before the request of this number. */
const edit = fc.record({
	at: fc.nat(12),
	contact,
	field: fc.constantFrom(...withoutEmail),
	empties: fc.boolean(),
});

/** Any history, the small and quiet ones first. */
export const history = fc.record({
	people: fc.array(person, { minLength: 1, maxLength: 6, size: 'max' }),
	variants,
	executions: fc.oneof(
		{ weight: 2, arbitrary: fc.array(execution, { minLength: 1, maxLength: 1 }) },
		{ weight: 1, arbitrary: fc.array(execution, { minLength: 2, maxLength: 3 }) },
	),
	isSideBySide: fc.boolean(),
	faults: fc.oneof(
		{ weight: 3, arbitrary: fc.array(fault, { maxLength: 0 }) },
		{ weight: 4, arbitrary: fc.array(fault, { minLength: 1, maxLength: 3 }) },
	),
	/** The GETs that fail, by number. */
	failingReads: maybe(fc.record({ from: fc.nat(5), times: fc.constantFrom(1, 5, 10) }), 8),
	edits: fc.oneof(
		{ weight: 4, arbitrary: fc.array(edit, { maxLength: 0 }) },
		{ weight: 1, arbitrary: fc.array(edit, { minLength: 1, maxLength: 2 }) },
	),
	/** How long requests and responses take, in ms, in turns. */
	latencies: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 7 }),
	chance: fc.nat(1_000_000),
});

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
export type History = Drawn<typeof history>;
export type Execution = Drawn<typeof execution>;

/** The values of a contact before the first request. */
export function firstValues({ people: all }: History, index: number): Values {
	const { has, source, tags } = all[index];
	const values: Values = { email: people[index] };
	for (const name of has) values[name] = ownValue(name, `p${index}`, index);
	if (source) values.source = source;
	if (tags.length > 0) values.tags = tags;
	return values;
}

/** A value that nothing else in the history has, where the field allows it. */
export function ownValue(name: Field, owner: string, pick: number): unknown {
	if (name === 'source') return sources[pick % sources.length];
	if (name === 'tags') return tagNames.filter((_, bit) => ((pick % 15) + 1) & (1 << bit));
	if (name !== 'accountId') return `${name}-of-${owner}.`;
	const hex = Buffer.from(owner).toString('hex').padStart(12, '0');
	return `aaaaaaaa-0000-4000-8000-${hex}`;
}

/** A row as the node is given it: the address or the contact's index, and the columns mapped. */
export interface Row {
	name: string;
	by: By;
	who: string | number;
	given: Values;
}

/** A column as a table has it: named like the field or its label, with what is pasted along. */
export function columnOf([name, value]: [string, unknown], index: number): [string, unknown] {
	const words = name.replace(/[A-Z]/g, (letter) => ` ${letter}`);
	const column = [name, words, words.toLowerCase().replace(' ', '_')][index % 3];
	const isPasted = typeof value === 'string' && value !== '' && name !== 'notes' && index % 2 === 1;
	return [column, isPasted ? `\u202a ${value}\u200b` : value];
}

/** The rows of an execution, with values that say where they come from. */
export function rowsOf(history: History, execution: Execution): Row[] {
	const count = history.people.length;
	const addresses = [...people.slice(0, count), ...newAddresses];
	const number = history.executions.indexOf(execution) + 1;
	return execution.drafts.map(({ by, contact, isUpperCase, fields }, index) => {
		const name = `r${number}.${index + 1}`;
		const address = addresses[contact] ?? 'nobody@x.co';
		const who = isUpperCase ? address.toUpperCase() : address;
		const given: Values = {};
		for (const { name: field, kind, pick } of fields) {
			if (field === 'email' && kind !== 'empty') given.email = addresses[pick % addresses.length];
			else if (kind === 'own') given[field] = ownValue(field, name, pick);
			else if (kind === 'as it was') given[field] = firstValues(history, contact % count)[field];
			given[field] ??= '';
		}
		return { name, by, who: by === 'email' ? who : contact % count, given };
	});
}
