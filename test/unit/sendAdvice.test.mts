import { describe, expect, test } from '@jest/globals';
import {
	adviceForTo,
	adviceForTokens,
} from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/advice';

describe('a recipient that is empty', () => {
	const gave = (expression: string) =>
		`Nothing was sent for this item. The expression “${expression}” gave nothing`;

	test.each([
		['{{ $json.email }}', { Email: 'ada@example.com' }, 'Email', 'email'],
		['{{ $json["e-mail"] }}', { name: 'Ada', 'E-Mail': 'ada@example.com' }, 'E-Mail', 'e-mail'],
		["{{ $json['straße'].trim() }}", { STRASSE: 'x', Straße: 'y' }, 'Straße', 'straße'],
		['{{ $json.email || $json.mail }}', { email: '', Mail: 'ada@example.com' }, 'Mail', 'mail'],
	])('%s, where the item is %j: names are case-sensitive', (expression, json, has, not) => {
		expect(adviceForTo('', `=${expression}`, json)).toBe(
			`${gave(expression)}. Names are case-sensitive: the item has “${has}”, not “${not}”.`,
		);
	});

	test.each([
		['{{ $json.email }}', {}],
		['{{ $json.email }}', { Email: 'ada@example.com', email: '' }],
		['{{ $json.email }}', { name: 'Ada' }],
		['{{ $("Rows").item.json.email }}', { Email: 'ada@example.com' }],
	])('%s, where the item is %j: what it gave', (expression, json) => {
		expect(adviceForTo('', `=${expression}`, json)).toBe(
			`${gave(expression)}: look at the item in the node's input.`,
		);
	});

	test('is to be entered where there is no expression', () => {
		expect(adviceForTo('', ' ', {})).toMatch(/^Nothing was sent for this item\. Enter an address/);
	});
});

test('a recipient of several addresses takes an item for each', () => {
	expect(adviceForTo('a@example.com, b@example.com', '', {})).toMatch(/one item for each\.$/);
});

test.each(['To', 'HTML'])('an expression in %s that is set to Fixed', (displayName) => {
	const advice = `${displayName} is set to Fixed, so the expression in it stayed as it is written. Switch it to Expression.`;
	if (displayName === 'To') expect(adviceForTo('{{ $json.email }}', '', {})).toBe(advice);
	else expect(adviceForTokens(['$json.Name', '$now'], displayName)).toBe(advice);
});

test('tokens without a value, and expressions among them', () => {
	const advice =
		'Nothing was sent for this item. Add a variable of that name, or a default in the token itself, like {{name|there}}';
	expect(adviceForTokens(['total'], 'HTML')).toBe(
		`${advice}. A field of the item is written {{ $json.name }}.`,
	);
	expect(adviceForTokens(['total', '$json.Name'], 'HTML')).toBe(
		`${advice}, or switch HTML to Expression for what begins with $.`,
	);
});
