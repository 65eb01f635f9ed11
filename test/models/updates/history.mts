import fc from 'fast-check';
import { contactFieldNames } from '../../../nodes/CrmWorkspace/api/records';
import { weighted, type Drawn } from '../harness/draw.mts';

export type Field = (typeof contactFieldNames)[number];
export type Values = Partial<Record<Field, unknown>>;

/** Some addresses contain others, which a search for these brings, too. */
const people = ['ada@x.co', 'nada@x.co', 'ada@x.com', 'ben@x.co'];
const otherAddresses = ['new.one@x.co', 'new.two@x.co'];
export const tagNames = ['tag-vip', 'Tag-VIP', 'tag-trial', 'tag-late'];
const sources = ['website', 'referral', 'cold_call', 'marketing', 'trade_show', 'partner'];
const withoutEmail = contactFieldNames.filter((name) => name !== 'email');
const texts = ['firstName', 'lastName', 'phone', 'company', 'jobTitle', 'notes'] as const;

/** What a contact has before the first request. A source `import` is refused when it is sent. */
const person = fc.record({
	has: fc.subarray([...texts]),
	source: weighted([3, ''], [3, 'referral'], [1, 'import']),
	tags: fc.subarray(tagNames),
});

/** How the service behaves where the interface leaves it open. */
const variant = fc.record({
	/** The fields that lose their values if a PUT leaves them out. */
	empties: fc.oneof(
		fc.constant<Field[]>([]),
		fc.constant<Field[]>(withoutEmail),
		fc.subarray<Field>([...contactFieldNames]),
	),
	/** The fields that no record shows, even with a value. */
	hides: fc.oneof(
		{ weight: 4, arbitrary: fc.constant<Field[]>([]) },
		fc.subarray<Field>(withoutEmail),
	),
	ignoresNull: weighted([5, false], [1, true]),
	/** Whether a record shows a field without a value. */
	showsEmpty: fc.boolean(),
	/** How long lists and searches show a contact as it was before an update, in ms; -1 without dates. */
	lag: weighted<number>([3, 0], [2, 2_000], [1, -1]),
});

const field = fc.record({
	name: weighted<Field>(
		[2, 'email'],
		[2, 'tags'],
		[1, 'source'],
		...texts.map((name): [number, Field] => [1, name]),
	),
	kind: weighted(
		[8, 'own'],
		[1, 'empty'],
		[1, 'as it was'],
		...(['nothing', 'zero', 'error'] as const).map((kind): [number, typeof kind] => [1, kind]),
	),
	spelled: fc.nat(2),
	pick: fc.nat(59),
});

const execution = fc.record({
	rows: fc.array(
		fc.record({
			/** An index of people, or of other addresses. */
			contact: fc.oneof({ weight: 2, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(6) }),
			fields: fc.uniqueArray(field, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
		}),
		{ minLength: 1, maxLength: 6, size: 'max' },
	),
	changesAddresses: fc.boolean(),
	goesOn: weighted([2, true], [1, false]),
	tries: weighted([2, 1], [1, 2], [1, 3]),
	options: fc.record({
		unmappedFields: weighted([3, 'auto'], [1, 'preserve']),
		tagMode: fc.constantFrom('replace', 'add', 'remove'),
		skipUnchanged: fc.boolean(),
		dryRun: weighted([11, false], [1, true]),
		emptyValues: weighted([2, 'ignore'], [1, 'clear']),
		concurrency: fc.constantFrom(1, 2, 5),
	}),
	/** When it begins if executions are side by side, in ms. */
	begins: fc.nat(60),
});

/** Requests that go wrong: the PUTs to a contact with these numbers. */
const fault = fc.record({
	kind: fc.constantFrom('executed, no response', 'answered 500', 'refused with 422'),
	contact: weighted([3, 0], [2, 1], [1, 2]),
	from: weighted([3, 0], [2, 1], [1, 2]),
	times: weighted([3, 5], [2, 1], [1, 99]),
});

export const histories = fc.record({
	people: fc.array(person, { minLength: 1, maxLength: 4, size: 'max' }),
	variant,
	executions: fc.array(execution, { minLength: 1, maxLength: 3 }),
	/** In turn otherwise. */
	isSideBySide: fc.boolean(),
	faults: fc.array(fault, { maxLength: 2 }),
	/** Decides how long requests and responses take. */
	chance: fc.nat(),
});

export type History = Drawn<typeof histories>;
export type Execution = Drawn<typeof execution>;

/** The values of a contact before the first request. */
export function firstValues({ people: all }: History, index: number): Values {
	const { has, source, tags } = all[index];
	const own = has.map((name) => [name, ownValue(name, `p${index}`, index)]);
	const none = Object.fromEntries(contactFieldNames.map((name) => [name, undefined]));
	return { ...none, ...Object.fromEntries(own), email: people[index], source, tags };
}

/** A value that nothing else in the history has, if the field allows it. */
function ownValue(name: Field, owner: string, pick: number): unknown {
	if (name === 'source') return sources[pick % sources.length];
	if (name === 'tags') return tagNames.filter((_, bit) => ((pick % 15) + 1) & (1 << bit));
	return `${name}-of-${owner}.äöü`;
}

/** A row of a table. */
export interface Row {
	name: string;
	/** The address of its contact. */
	who: string;
	/** What the node is given. */
	cells: Values;
	/** What its cells mean for the contact. */
	given: Values;
	/** Whether one of them can't be a value, so that its item is refused. */
	isRefused: boolean;
}

/** The rows of an execution, with values that say where they come from. */
export function rowsOf(history: History, execution: Execution): Row[] {
	const count = history.people.length;
	const addresses = [...people.slice(0, count), ...otherAddresses];
	const number = history.executions.indexOf(execution) + 1;
	const changesAddresses = execution.changesAddresses && !history.isSideBySide;
	return execution.rows.map(({ contact, fields }, index) => {
		const name = `r${number}.${index + 1}`;
		const row: Row = {
			...{ name, who: addresses[contact % addresses.length] },
			...{ cells: {}, given: {}, isRefused: false },
		};
		const first = firstValues(history, contact % count);
		for (const { name: field, kind, pick, spelled } of fields) {
			if (field === 'email' && !changesAddresses) continue;
			const own =
				field === 'email' ? addresses[pick % addresses.length] : ownValue(field, name, pick);
			const isText = texts.some((text) => text === field);
			if (kind === 'nothing') row.cells[field] = undefined;
			else if (kind === 'error') {
				row.cells[field] = '#N/A';
				row.isRefused = true;
			} else if (kind === 'zero' && isText) {
				row.cells[field] = 0;
				row.given[field] = '0';
			} else {
				const value = kind === 'empty' ? '' : kind === 'as it was' ? (first[field] ?? '') : own;
				row.cells[field] = spell(field, value, row.who, spelled);
				row.given[field] = value;
			}
		}
		return row;
	});
}

/** How a table may write a value: blank in three ways, tags as text, an address in capitals. */
function spell(field: Field, value: unknown, who: string, pick: number): unknown {
	if (value === '') return ['', null, '  '][pick];
	if (field === 'email' && value === who) return who.toUpperCase();
	if (field !== 'tags') return value;
	const tags = value as string[];
	return [tags, tags.join(', '), [...tags, null]][pick];
}
