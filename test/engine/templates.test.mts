import { describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine/runNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();

const order = {
	number: 1042,
	items: [
		{ title: 'Tea', price: 4.5 },
		{ title: 'Pot', price: 19 },
	],
};

const send = async (parameters: INodeParameters, items: IDataObject[] = [{ order }]) =>
	await runNode({
		items,
		parameters: {
			operation: 'sendTransactionalEmail',
			to: 'ada.lovelace@example.com',
			...{ content: 'html', subject: 'Your order' },
			...parameters,
		},
		credential: unpaced(sandbox),
	});

const json = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });
const fields = (name: string, value: string) => ({ variables: { variable: [{ name, value }] } });

/** Sends HTML with a variable for each token that has no fallback. */
const sendHtml = async (html: string) =>
	await send({
		html,
		...json(
			'{ "name": "Ada", "color": "#036", "token": "t1", "number": "1042", "class": "A", "7": "x" }',
		),
	});

const requests = async (): Promise<any[]> => (await sandbox.control('GET', '/requests')).data;
const inbox = async (): Promise<any[]> => (await sandbox.control('GET', '/inbox')).data;

const mjml = `<!doctype html><html><head><style type="text/css">#outlook a { padding:0; }
@media only screen and (min-width:480px) { .mj-column-per-100 { width:100% !important; max-width: 100%; } }
</style><!--[if mso]><noscript><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml></noscript><![endif]-->
<style media="screen and (min-width:480px)">.moz-text-html .mj-column-per-100{width:100%!important}</style></head>
<body style="word-spacing:normal;"><div aria-roledescription="email" role="article" lang="und" dir="auto">
<!--[if mso | IE]><table align="center" width="600"><tr><td style="font-size:0px;"><![endif]-->
<h1>Hello {{name|there}}</h1><a href="https://shop.example/orders/{{number}}?t={{token}}" target="_blank">Track</a>
<!--[if mso | IE]></td></tr></table><![endif]--></div></body></html>`;

const jsonLd = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Order","orderNumber":"{{number}}","customer":{"@type":"Person","name":"{{name|Customer}}"}}</script>`;

/** What has to be sent as it is written. */
const taken: string[] = [
	'<p>No braces at all</p>',
	'{{ name }}',
	'{{name|there}}',
	'{{ first_name|there}}',
	'{{first-name|you}} {{größe|Ä}} {{name2|x}} {{_x|y}}',
	'{{contact.name|friend}} {{orders[0].id|none}}',
	'{{salutation|dear customer, dear friend}}',
	"{{customer|O'Neil & Sons}}",
	'{{url|https://example.com/?a=1:2}}',
	'{{who|<b>you</b>}}',
	'{{7}} {{class}} {{new|x}} {{default|x}}',
	'{{Date|today}} {{Number|1}} {{Math|x}} {{min|y}}',
	'{name} { {name} } }} { }',
	'<a href="https://example.com/?t={{token}}&amp;n={{number}}">x</a>',
	'<a href="https://example.com/?filter=%7B%22id%22:1%7D">x</a> &#123;x&#125;',
	'<style>.a{color:{{color}}}.b{color:{{color|red}}}</style>',
	'<style>@media(max-width:480px){.c{width:100%!important}}@media print{.d{display:none}}</style>',
	'<!--[if mso]><td style="width:{{width|600}}px"><![endif]--><p>x</p>',
	'<style>.q:before{content:"\\201C"}</style> C:\\new\\{x}',
	'<p>*|FNAME|* [[name]] %recipient.name% ${name} <%= name %></p>',
	'{{who|friend(s)}} {{नमस्ते|मित्र}} {{when|at 9:30}}',
	'{{adjective|lower prices}} {{what|titles}} {{mode|safely (always)}}',
	jsonLd,
	mjml,
];

/** What no service replaces, by the piece that an error has to name; the whole if it is undefined. */
const refused: Array<[written: string, piece?: string]> = [
	['<p>{{#if vip}}Thanks{{/if}}</p>', '{{#if vip}}'],
	['{{#each items}}<li>{{name}}</li>{{/each}}', '{{#each items}}'],
	['{{^vip}}x{{/vip}}', '{{^vip}}'],
	['{{> footer}}'],
	['{{!note}}'],
	['Hello {{{name}}}', '{{{name}}'],
	['{{@index}}'],
	['{{ name | default: "there" }}'],
	['{{ name | "there" }}'],
	['{{ name|there }}'],
	['{{ name | capitalize }}'],
	['{{name|uppercase}}'],
	['{{name|default("there")}}'],
	['{{name|"there"}}'],
	["{{name|'there'}}"],
	['{{name|date:"Y"}}'],
	['{{name|truncate:30}}'],
	['{{ first_name || "there" }}'],
	['{{ firstName.toUpperCase() }}'],
	['{{ customer.vip ? "x" : "y" }}'],
	['{{First Name}}'],
	['{{&nbsp;name&nbsp;}}'],
	['{{<b>name</b>}}'],
	['{{}}'],
	['Hello {{name}, welcome', '{{name}, welcome'],
	['<a href="https://example.com/reset?t=%7B%7Btoken%7D%7D">x</a>', '%7B%7Btoken%7D%7D'],
	['&#123;&#123;name&#125;&#125;'],
	['{% if vip %}Thanks{% endif %}', '{% if vip %}'],
	['\\{{name}}'],
];

/** A field that is typed or pasted into is an expression; in a workflow written by hand it is Fixed. */
const modes = [
	{ mode: 'Expression', sign: '=', sent: taken, not: refused },
	{ mode: 'Fixed', sign: '', sent: [mjml, '{{name|there}}'], not: refused.slice(0, 6) },
];

describe.each(modes)('in a field that is set to $mode', ({ sign, sent, not }) => {
	test.each(sent)('is sent as it is written: %j', async (html) => {
		const { error } = await sendHtml(sign + html);
		expect(error?.message).toBeUndefined();
		expect((await requests()).map(({ body }) => body.html)).toEqual([html]);
	});

	test.each(not)('is refused before any request: %j', async (html, piece = html) => {
		const { error } = await sendHtml(sign + html);
		const shown = piece.replaceAll('<', '‹').replaceAll('>', '›');
		expect(error?.message).toBe(
			`'HTML' has ${shown}, which is neither a token nor code that n8n knows`,
		);
		expect(error?.description).toContain('A token is {{name}} or {{name|there}}');
		expect(await requests()).toEqual([]);
	});
});

describe('what is meant for n8n is evaluated', () => {
	const rows =
		'{{ $json.order.items.map((one) => `<tr><td>${one.title}</td><td>${one.price.toFixed(2)}</td></tr>`).join("") }}';

	test.each([
		['{{ $json.order.number }}', '1042'],
		['{{$json.order.number}} for {{name}}', '1042 for {{name}}'],
		[
			`<table>${rows}</table>`,
			'<table><tr><td>Tea</td><td>4.50</td></tr><tr><td>Pot</td><td>19.00</td></tr></table>',
		],
		['{{ $json.order.note ?? "none" }} {{ $json.order.note || "" }}!', 'none !'],
		['{{ Math.max(1, 2) }} {{ Math.PI | 0 }} {{ JSON.stringify([1]) }}', '2 3 [1]'],
		['{{ DateTime.fromISO("2026-11-26").toFormat("dd.MM.yyyy") }}', '26.11.2026'],
		['{{ new Date(0).getTime() }} {{ typeof $json }} {{ true }}', '0 object true'],
		['{{ [1, 2].length }} {{ "a | b" }} {{ "{{" }}name}}', '2 a | b {{name}}'],
		['{{ /* the number */ $json.order.number }}', '1042'],
		['{{ $json.order.items.length > 1 ? "several" : "one" }}', 'several'],
		['{{ $json.order.items[0].title + " | " + $json.order.items[1].title }}', 'Tea | Pot'],
		['{{ null }}{{ "" }}x', 'x'],
	])('%j', async (written, html) => {
		const { error } = await sendHtml(`=${written}`);
		expect(error?.message).toBeUndefined();
		expect((await requests()).map(({ body }) => body.html)).toEqual([html]);
	});
});

// Interface: SEND-12, SEND-17.
describe('a token gets its value', () => {
	test.each<[string, INodeParameters, string]>([
		['of a name that is a number', fields('={{ 7 }}', 'Ada'), '{{7}}'],
		['of a name with a dot', fields('contact.name', 'Ada'), '{{contact.name}}'],
		[
			'of a name that was copied with signs that no one sees',
			fields('\ufefffirstName\u200b ', 'Ada'),
			'{{firstName}}',
		],
		['from its fallback if the variable is null', fields('name', '={{ null }}'), '{{name|Ada}}'],
		['from its fallback if the variable is null in JSON', json('{ "name": null }'), '{{name|Ada}}'],
	])('%s', async (_what, variables, html) => {
		const { error } = await send({ html, ...variables });
		expect(error).toBeUndefined();
		expect(await inbox()).toMatchObject([{ html: 'Ada' }]);
		expect(Object.values((await requests())[0].body.variables ?? {})).not.toContain(null);
	});

	test('of a part of a variable, if the service knows such parts', async () => {
		await send({ html: '{{contact.name}}', ...json('{ "contact": { "name": "Ada" } }') });
		expect(await requests()).toHaveLength(1);
	});
});

// Interface: SEND-12, SEND-13, SEND-15, SEND-17, ERROR-1.
describe('tokens in a field that is set to Expression stay tokens', () => {
	const written = '={{firstName|you}}, {{ $json.order }}: {{ word |as ordered}}';
	const items = [{ given: 'Ada', order: 1042 }];

	test('in HTML, Subject and Plain Text, with the variables beside them', async () => {
		const texts = { html: written, subject: written, additionalFields: { text: written } };
		const ada = fields('firstName', '={{ $json.given }}');
		const { error, hints } = await send({ ...texts, ...ada }, items);
		expect(error).toBeUndefined();
		const filled = 'Ada, 1042: as ordered';
		expect(await inbox()).toMatchObject([{ html: filled, subject: filled }]);
		expect((await requests())[0].body.text).toBe('{{firstName|you}}, 1042: {{ word |as ordered}}');
		expect(hints).toEqual([]);
	});

	test.each<[INodeParameters, string]>([
		[{ html: '{{contact.nmae}}', ...json('{ "contact": { "name": "Ada" } }') }, "'HTML'"],
		[{ html: 'Hello', subject: '{{ name }} {{ total }}' }, "'Subject'"],
		[{ html: 'Hello', additionalFields: { text: '={{ name }}' } }, "'Plain Text'"],
		[{ html: '={{ name }}', subject: '={{ total }}' }, "'Subject', 'HTML'"],
	])('without a value is refused: %j', async (parameters, fieldNames) => {
		const { error } = await send(parameters);
		expect(error?.message).toMatch(`Tokens in ${fieldNames} have no value: `);
		expect(error?.description).toMatch('a field of the item {{ $json.');
		expect(await requests()).toEqual([]);
	});
});
