import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expressionEngines, useExpressionEngine } from '../support/engine/expressionEngine.mts';
import { runNode } from '../support/engine/runNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

/** What people write into the texts of a message: what has to be sent, and what never may be. */

const sandbox = sandboxInTests();

const item: IDataObject = {
	...{ name: 'Ada', 'First name': 'Ada', last: 'Null', title: 'mr', email: 'ada@example.com' },
	...{ city: null, blank: '', total: 1234.5, count: 2, zero: 0, paid: false, flags: 6, mask: '3' },
	...{ date: '2026-11-26T10:00:00Z', tags: ['vip', 'new'], nothing: [null], html: '<b>Hi</b>' },
	...{ said: 'it said: undefined', model: 'x is NaN', contest: 'NaNoWriMo', code: 'isNaN(x)' },
	...{ lines: 'a\nundefined b', trace: 'a null, [object Object] and Invalid DateTime: Infinity' },
	...{ token: 'abcNaNdef', key: 'a/NaN+/null=', utm: { source: 'undefined' }, unknown: 'null' },
	...{ braces: 'Hi {{first}}', failed: "'HTML' has {{ $json.body.email }}", css: 'a{b{{c}}}' },
	...{ link: 'https://x.example/?a=1&b=%7B%7B%22c%22%7D%7D', block: '{% if vip %}' },
	...{
		bank: 'Hernandez, Finance',
		data: '{"l":[null]}',
		encoded: btoa('undefined is fine'),
		price: 'x',
		short: '{',
	},
	items: [
		{ title: 'Tea', price: 4.5, note: null },
		{ title: 'Pot', price: 19, note: null },
	],
};

const send = async (parameters: INodeParameters, items: IDataObject[] = [item]) =>
	await runNode({
		items,
		parameters: {
			operation: 'sendTransactionalEmail',
			to: 'ada@example.com',
			...{ content: 'html', subject: 'Hello' },
			...parameters,
		},
		credential: unpaced(sandbox),
	});

const json = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });
const fields = (name: string, value: string) => ({ variables: { variable: [{ name, value }] } });
const variables = json(
	'{ "name": "Ada", "color": "#036", "token": "t1", "number": "1042", "class": "A", "7": "x" }',
);

const bodies = async (): Promise<any[]> => {
	const { data } = await sandbox.control('GET', '/requests');
	return data.map(({ body }: any) => body);
};

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
const written = [
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
	'It is undefined, null and NaN; [object Object] & Infinity',
	'<img src="Files/image002.png"> <p>file:///C:/x and cid:y as text</p>',
	'<img data-src="cid:a" src="https://example.com/cid:1.png"><img src=//example.com/a.png>',
	jsonLd,
	mjml,
];

/** What expressions give, by what has to be sent. */
const evaluated: Array<[html: string, sent: string]> = [
	['Hi {{ $json.name }}', 'Hi Ada'],
	['Hi {{ $json[\'First name\'] }}{{$json["last"]}}', 'Hi AdaNull'],
	['Hi {{ $json.last.toUpperCase() }}', 'Hi NULL'],
	['x{{ $json?.company?.name ?? "-" }}', 'x-'],
	['{{ $json.company?.name || "your company" }}', 'your company'],
	['{{ $json.total.toFixed(2) }} € {{name}}', '1234.50 € {{name}}'],
	['{{ $json.zero }} {{ $json.paid }}', '0 false'],
	['City: {{ $json.city }}.{{ null }}{{ "" }}', 'City: .'],
	["{{ $('Source').item.json.name }}, {{ $input.item.json.name }}", 'Ada, Ada'],
	['{{ $itemIndex + 1 }} {{ $runIndex }} {{ $now.year > 0 }}', '1 0 true'],
	['{{ Math.max(1, 2) }} {{ Math.PI | 0 }} {{ JSON.stringify([1]) }}', '2 3 [1]'],
	['{{ new Date(0).getTime() }} {{ typeof $json }} {{ true }}', '0 object true'],
	['{{ /* the number */ $json.count // it\n }}', '2'],
	['{{ [1, 2].length }} {{ "a | b" }} {{ "{{" }}name}}', '2 a | b {{name}}'],
	['Dear {{ $json.title === "mr" ? "Mr" : "Ms" }} Ada', 'Dear Mr Ada'],
	['{{ /^(mr|mrs)/i.test($json.title) ? "A" : "B" }}', 'A'],
	['{{ /^dr|prof/i.test($json.title) ? "Dear" : "Hi" }} Ada', 'Hi Ada'],
	['{{ $json.tags.some(x => /a|vip/.test(x)) }}', 'true'],
	[
		'{{ $json.link.replace(/^https?:\\/\\/|\\/$/g, "") }} x',
		'x.example/?a=1&b=%7B%7B%22c%22%7D%7D x',
	],
	['{{ $json.name ? `A&nbsp;${$json.name}` : "" }}', 'A&nbsp;Ada'],
	['{{ $json.name + "\'s list & more" }}', "Ada's list & more"],
	['{{ $if($json.count > 1, "orders", "order") }}', 'orders'],
	['{{ $json.city === null ? "no city" : $json.city }}', 'no city'],
	['{{ $json.city === null ? "The city is null" : $json.city }}', 'The city is null'],
	['{{ $json.city == null }} {{ typeof $json.nope === "undefined" }}', 'true true'],
	['{{ $json.flags & 2 }} {{ $json.flags | 1 }} {{ $json.total | 0 }}', '2 7 1234'],
	['{{ $json.paid ? "NaN" : "Infinity" }} {{ $json.none ? 1 : "Null" }}', 'Infinity Null'],
	[
		'{{case.id|1}} {{package.id|2}} {{document.id|3}} {{Math.x|4}}',
		'{{case.id|1}} {{package.id|2}} {{document.id|3}} {{Math.x|4}}',
	],
	['{{ ["a|b", "c & d"].join(" | ") }}', 'a|b | c & d'],
	['{{ $json.name.replace(/Mrs|Mr|Ada/, "X").trim() }}', 'X'],
	['{{ $json.name && "a & b" }}', 'a & b'],
	['{{ `Hallo ${$json.name}, null Risiko` }}', 'Hallo Ada, null Risiko'],
	['Tags: {{ $json.tags }} {{ $json.tags.join(", ") }}', 'Tags: vip,new vip, new'],
	['{{ $json.items.map((o) => `<li>${o.title}</li>`).join("") }}', '<li>Tea</li><li>Pot</li>'],
	['<ul>{{ $json.items.map((o) => o.title) }}</ul>', '<ul>Tea,Pot</ul>'],
	['{{ $json.items.reduce((sum, o) => sum + o.price, 0) }}', '23.5'],
	['{{ $json.items.pluck("title").join() }} {{ [1, 2].sum() }}', 'Tea,Pot 3'],
	["{{ $('Source').all().map((one) => one.json.said).join() }}!", 'it said: undefined!'],
	['{{ DateTime.fromISO("2026-11-26").toFormat("dd.MM.yyyy") }}', '26.11.2026'],
	['{{ $json.date.toDateTime().setZone("utc").format("yyyy-MM-dd") }}', '2026-11-26'],
	['{{ new Date($json.date).toISOString().split("T")[0] }}', '2026-11-26'],
	["{{ $('Source').first().json.said }}", 'it said: undefined'],
	["{{ $('Source').item.json.model.trim() }} x", 'x is NaN x'],
	["{{ $json.name + ' ' + $('Source').item.json.last }}", 'Ada Null'],
	['{{ "Hi " + $json.said + $json.model }}', 'Hi it said: undefinedx is NaN'],
	['{{ $json.lines || "-" }}', 'a\nundefined b'],
	['{{ $json.contest.trim() }} {{ $json.code + "" }}', 'NaNoWriMo isNaN(x)'],
	['{{ $json.trace.toUpperCase() }}', 'A NULL, [OBJECT OBJECT] AND INVALID DATETIME: INFINITY'],
	['{{ $json.unknown.toTitleCase() }} {{ $json.utm.source }}', 'Null undefined'],
	[
		'<a href="https://x.example/?t={{ encodeURIComponent($json.token) }}">',
		'<a href="https://x.example/?t=abcNaNdef">',
	],
	['{{ "https://x.example/?t=" + $json.key }}', 'https://x.example/?t=a/NaN+/null='],
	[
		'<img src="data:image/png;base64,{{ $(\'Source\').first().json.key }}">',
		'<img src="data:image/png;base64,a/NaN+/null=">',
	],
	['{{ JSON.stringify($json.items[0]) }} x', '{"title":"Tea","price":4.5,"note":null} x'],
	['{{ JSON.stringify({ city: $json.city }, null, 1) }} x', '{\n "city": null\n} x'],
	[
		'{{ `${$json.said}, ${$json.said}${$json.none ?? ""}` }}',
		'it said: undefined, it said: undefined',
	],
	['<a href="{{ $json.link }}">', '<a href="https://x.example/?a=1&b=%7B%7B%22c%22%7D%7D">'],
	['{{ $json.block }}!', '{% if vip %}!'],
	['<p>{{ $json.braces }}</p>', '<p>Hi &#123;&#123;first}}</p>'],
	['<p>{{ $json.failed + "" }}</p>', "<p>'HTML' has &#123;&#123; $json.body.email }}</p>"],
	['<p>{{ $json.css }}{{ $json.short }}{a}}</p>', '<p>a{b&#123;&#123;c}}}&#123;{a}}</p>'],
	['<p>{{ [$json.braces] }}</p>', '<p>Hi &#123;&#123;first}}</p>'],
	[
		'{{ `<style>.a{color:red}</style>${$json.braces}` }} x',
		'<style>.a{color:red}</style>Hi &#123;&#123;first}} x',
	],
	['{{ $json.html }}', '<b>Hi</b>'],
];

/** Braces that no service replaces, by the piece that an error has to name; the whole if undefined. */
const foreign: Array<[html: string, piece?: string]> = [
	['<p>{{#if vip}}Thanks{{/if}}</p>', '{{#if vip}}'],
	['{{#each items}}<li>{{name}}</li>{{/each}}', '{{#each items}}'],
	['{{^vip}}x{{/vip}}', '{{^vip}}'],
	['{{> footer}}'],
	['{{!note}}'],
	['Hello {{{name}}}', '{{{name}}}'],
	['{{{name}}} {{formatNumber total}}', '{{{name}}}'],
	['{{#if vip}}{{vip.name.first()}}{{/if}}', '{{#if vip}}'],
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
	['{{<span class="SpellE">firstName</span>}}'],
	['{{}}'],
	['Hello {{name}, welcome', '{{name}, welcome'],
	['<a href="https://example.com/reset?t=%7B%7Btoken%7D%7D">x</a>', '%7B%7Btoken%7D%7D'],
	['&#123;&#123;name&#125;&#125;'],
	['{% if vip %}Thanks{% endif %}', '{% if vip %}'],
	['\\{{name}}'],
];

/** Code that n8n calculates with, although its author meant something else. */
const miscalculated = [
	'{{ $json.price & " " & $json.blank }}',
	'{{ "a" & "b" }}',
	'{{ $json.price&nbsp;}}',
	'{{ $json.name & $json.last }}',
	'{{ $json.name | upper }}',
	'{{ $json.total | money }}',
];

/** Code that gives no value, by what it gives. */
const holes: Array<[code: string, gave: string]> = [
	['{{ $json.none }}', 'nothing'],
	['{{ $json.utm.none }}', 'nothing'],
	['{{ $json.name.none() }}', 'nothing'],
	["{{ $('Source').item.json.none }}", 'nothing'],
	['{{ undefined }}', 'nothing'],
	['{{ $json.utm }}', 'an object'],
	['{{ $json.items }}', 'an object'],
	['{{ [undefined] }}', 'nothing'],
	['{{ $json.name * 2 }}', '“NaN”'],
	['{{ 5 / $json.zero }}', '“Infinity”'],
	['{{ new Date($json.price) }}', 'not a valid date'],
	['{{ 9007199254740993 + 0 }}', '9007199254740992, a rounded number'],
	['{{ "€" + $json.none }}', '“€undefined”'],
	['{{ $json.name + $json.none }}', '“Adaundefined”'],
	['{{ `${$json.city === null ? "-" : $json.city} ${$json.none}` }}', '“- undefined”'],
	["{{ (typeof $json.none === 'undefined' ? '' : $json.none) + $json.none }}", '“undefined”'],
	[
		'{{ $json.items.map((t) => `${t.note === null ? "-" : t.note} ${t.b}`).join() }}',
		'“- undefined,- undefined”',
	],
	['{{ $json.said + " " + $json.none }}', '“it said: undefined undefined”'],
	['{{ Number($json.none).toFixed(2) }}', '“NaN”'],
	['{{ parseFloat($json.price).toLocaleString("en") + " €" }}', '“NaN €”'],
	['{{ ((5 / 0) * 100).toFixed(1) + "%" }}', '“Infinity%”'],
	['{{ DateTime.fromISO($json.price).toFormat("dd.MM.") }}', '“Invalid DateTime”'],
	['{{ "Order " + $json.utm }}', '“Order [object Object]”'],
	['{{ "Hi " + $json.city }}', '“Hi null”'],
	['{{ $json.bank + " fee: " + $json.price * 2 }}', '“Hernandez, Finance fee: NaN”'],
	[
		'{{ $json.items.map((o) => o.qty + "x" + o.title + o.none).join() }}',
		'“undefinedxTeaundefined,undefinedxPotundefined”',
	],
	['{{ ("Ada " + $json.none).toUpperCase() }}', '“ADA UNDEFINED”'],
	['{{ "a [X]".replaceAll("[X]", $json.city) }}', '“a null”'],
	['{{ JSON.stringify($json.city) }}', '“null”'],
	[
		'{{ $json.items.map((o) => `<li>${o.title}: ${o.note}</li>`).join("") }}',
		'“‹li›Tea: null‹/li›‹li›Pot: null‹/li›”',
	],
	[
		'{{ Object.entries($json.items[0]).map(([, v]) => "<td>" + v).join("") }}',
		'“‹td›Tea‹td›4.5‹td›null”',
	],
	['{{ (5 / $json.zero).toLocaleString("de-DE") }}', '“∞”'],
];

describe.each(expressionEngines)("n8n's expression engine %s", (engine) => {
	beforeAll(async () => await useExpressionEngine(engine));
	afterAll(async () => await useExpressionEngine('legacy'));

	test.each(evaluated)('sends %s', async (html, sent) => {
		const { error } = await send({ html: `=${html}`, ...variables });
		expect([error?.message, error?.description]).toEqual([]);
		expect((await bodies())[0].html).toBe(sent);
	});

	test.each(holes)('refuses %s', async (code, gave) => {
		const { error } = await send({ html: `=Pay ${code} now` });
		expect(error?.message).toBe("'HTML' is incomplete");
		expect(error?.description).toContain(`gave ${gave}`);
		expect(await bodies()).toEqual([]);
	});

	test.each(foreign)('refuses %s', async (html, piece = html) => {
		const { error } = await send({ html: `=${html}`, ...variables });
		const shown = piece.replaceAll('<', '‹').replaceAll('>', '›');
		expect(error?.message).toBe(
			`'HTML' has ${shown}, which is neither a token nor code that n8n knows`,
		);
		expect(error?.description).toContain('Write a token, {{name}} or {{name|there}}');
		expect(error?.description).toContain("and tags inside the braces, don't work");
		expect(await bodies()).toEqual([]);
	});

	test.each<[string, INodeParameters, string]>([
		['To', { to: '={{ <b>$json.email</b> }}' }, '{{ ‹b›$json.email‹/b› }}'],
		['Simplify', { simplify: '={{ <b>true</b> }}' }, 'an expression'],
	])('names %s if it is code that n8n cannot read: %j', async (name, parameters, code) => {
		const { error } = await send({ html: 'Hi', ...parameters });
		expect(error?.message).toBe(
			`'${name}' has ${code}, which is neither a token nor code that n8n knows`,
		);
	});

	test.each(miscalculated)('refuses %s', async (code) => {
		const { error } = await send({ html: `=Pay ${code} now` });
		expect(error?.message).toMatch(/^'HTML' has .+ n8n knows$/);
		expect(await bodies()).toEqual([]);
	});
});

/** A field that is typed or pasted into is an expression; in a workflow written by hand it is Fixed. */
describe.each([
	['Expression', '='],
	['Fixed', ''],
])('in a field that is set to %s', (_mode, sign) => {
	test.each(written)('is sent as it is written: %s', async (html) => {
		const { error } = await send({ html: sign + html, ...variables });
		expect(error?.message).toBeUndefined();
		expect((await bodies())[0].html).toBe(html);
	});

	test.each(foreign)('is refused before any request: %s', async (html, piece = html) => {
		const { error } = await send({ html: sign + html, ...variables });
		const shown = piece.replaceAll('<', '‹').replaceAll('>', '›');
		expect(error?.message).toBe(
			`'HTML' has ${shown}, which is neither a token nor code that n8n knows`,
		);
		expect(error?.description).toMatch(/^Replace it by a token, {{name}} or {{name|there}}/);
		expect(await bodies()).toEqual([]);
	});
});

describe('what may be a mistake is sent, and a hint names it', () => {
	const hintsOf = async (parameters: INodeParameters, items = [item]) => {
		const { error, hints } = await send({ html: 'Hello', ...parameters }, items);
		expect(error).toBeUndefined();
		return hints.map(({ message }) => message);
	};

	test.each([
		['{{ JSON.parse($json.data).l.map((a) => "- " + a).join() }}', '- null'],
		['{{ $json.encoded.base64Decode() }}', 'undefined is fine'],
		['{{ $json.items.map((o) => $json.said + " " + o.none).join() }}', 'it said: undefined'],
	])('a word that only may be in the data: %s', async (code, gave) => {
		const [hint, ...others] = await hintsOf({ html: `=${code} x` });
		expect(others).toEqual([]);
		expect(hint).toMatch(/^'HTML' may have a gap: “.+” gave “/);
		expect(hint).toContain(gave);
	});

	test('fields without a value, where a text has a gap', async () => {
		const items = [{ name: 'Ada' }, { name: null }, { name: ' ' }];
		const to = '={{ $itemIndex }}@example.com';
		const html = '=Hi {{ $json.name }}, {{ $json.name ?? "" }}{{ true ? "" : null }}{{ null }}';
		expect(await hintsOf({ to, html, subject: '=For {{$json.name}}' }, items)).toEqual([
			"These fields were empty, so messages have gaps: null in 'HTML' (3 of 3 items), $json.name in 'Subject' (2 of 3 items), $json.name in 'HTML' (2 of 3 items)",
		]);
	});

	test.each([
		['Dear Ada,\n\nyour order has left.', true],
		['={{ $json.lines }}', true],
		['Dear Ada', false],
		['Dear Ada,<br>\nhello', false],
	])('lines without a tag: %j', async (html, isTold) => {
		const hints = (await hintsOf({ html })).filter((one) => one.includes("set 'Content' to Text"));
		expect(hints).toHaveLength(isTold ? 1 : 0);
	});

	const fence = 'a code fence (```). Ask the model for the message alone';
	const foreignTags = 'tags of another tool, such as *|NAME|*. A token is written like {{name}}';
	const tags = "HTML tags. Set 'Content' to HTML, and don't escape them";
	test.each<[INodeParameters, string]>([
		[{ content: 'text', text: '<p>Dear Ada</p>' }, `'Text' shows recipients ${tags}`],
		[{ content: 'text', text: '={{ "Dear Ada,<br>" + $json.name }}' }, tags],
		[{ html: '&lt;p&gt;Dear Ada&lt;/p&gt;' }, tags],
		[{ content: 'text', text: 'Ada <ada@example.com>, 1 < 2, I </3 you, <https://x.example>' }, ''],
		[{ content: 'text', text: '```\nDear Ada\n```' }, `'Text' shows recipients ${fence}`],
		[
			{ html: 'Here it is:\n```html\n<p>Hi</p>\n```\nIs it right?' },
			`'HTML' shows recipients ${fence}`,
		],
		[{ html: '<p>Hi ``` Ada</p>' }, ''],
		[{ html: '<p>*|FNAME|*</p>' }, `'HTML' shows recipients ${foreignTags}`],
		[{ subject: 'Hi *|IF:VIP|*' }, `'Subject' shows recipients ${foreignTags}`],
		[{ html: '<p>a *|* b *| c |*</p>' }, ''],
	])('what recipients see as it is written: %j', async (parameters, hint) => {
		const hints = await hintsOf(parameters);
		expect(hints).toEqual(hint ? [expect.stringContaining(`${hint} (1 of 1 items)`)] : []);
	});

	test.each([
		['{{Name|there}}', {}, true],
		['{{first_name|there}}', {}, true],
		['{{name|there}}', fields('name', 'Ada'), false],
		['{{nickname|there}}', {}, false],
	])('the fallback of %s where %j is given', async (html, given, isTold) => {
		const hints = await hintsOf({ html, ...given });
		expect(hints.join().includes('shows its fallback: no variable has its name')).toBe(isTold);
	});
});

describe('what came with a value', () => {
	test.each(['{{#if vip}}', '{{ $json.email }}', '%7B%7Btoken%7D%7D'])(
		'%s is refused where the value is the whole text, and the error says so',
		async (braces) => {
			const { error } = await send({ html: '={{ $json.page }}\n' }, [{ page: `<p>${braces}</p>` }]);
			expect(error?.message).toBe(
				`'HTML' has ${braces}, which came with the value of “{{ $json.page }}” and isn't a token`,
			);
			expect(error?.description).toContain('put text around the expression');
			expect(await bodies()).toEqual([]);
		},
	);

	test('its tokens are tokens there', async () => {
		const { error } = await send({ html: '={{ $json.page }}', ...variables }, [
			{ page: 'Hi {{name}}' },
		]);
		expect(error).toBeUndefined();
		expect((await bodies())[0].html).toBe('Hi {{name}}');
	});

	test('an alert with an error of this node arrives, also as a whole text and as a subject', async () => {
		const parameters = {
			operation: 'sendTransactionalEmail',
			...{ to: '={{ $json.none }}', templateSlug: 'welcome' },
		};
		const settings = { onError: 'continueRegularOutput' as const };
		const failed = await runNode({ parameters, settings, credential: unpaced(sandbox) });
		const error = String(failed.json[0].error);
		expect(error).toContain('The expression “{ { $json.none } }” gave nothing');
		const texts = { subject: '=Error: {{ $json.error }}', html: '={{ $json.error }}' };
		expect((await send(texts, [{ error }])).error).toBeUndefined();
		expect((await bodies())[0].html).toBe(error);
	});

	test.each<[string, INodeParameters]>([
		['Subject', { subject: '=Re: {{ $json.braces }}, thanks' }],
		['Plain Text', { additionalFields: { text: '=> {{ $json.braces }}' } }],
	])('braces are no token in %s either', async (name, parameters) => {
		const { error } = await send({ html: 'Hello', ...parameters });
		expect(error?.message).toBe(`'${name}' has braces that came with the item's data: {{first}}`);
		expect(error?.description).toContain('A variable carries any text');
		expect(await bodies()).toEqual([]);
	});
});

describe('a token whose variable is an object', () => {
	const json = (value: unknown) => ({
		html: 'Hi {{a}}',
		variablesInput: 'json',
		variablesJson: `={{ { a: ${JSON.stringify(value)} } }}`,
	});

	test.each([{ city: 'London' }, [{ title: 'Tea' }], {}])('is refused: %j', async (value) => {
		const { error } = await send(json(value));
		expect(error?.message).toBe('The variable for {{a}} is an object, not text');
		expect(error?.description).toContain('Give the variable one text');
		expect(await bodies()).toEqual([]);
	});

	test.each(['Tea', 0, false])('is sent with %j, which is none', async (value) => {
		const { error } = await send(json(value));
		expect(error).toBeUndefined();
		expect(await bodies()).toMatchObject([{ variables: { a: value } }]);
	});

	test("is sent with a stored template, whose tokens aren't known", async () => {
		const { error } = await send({
			...json({ b: 1 }),
			content: 'template',
			templateSlug: 'welcome',
		});
		expect(error?.message ?? '').not.toContain('not text');
	});
});

describe('Content: Text', () => {
	const text = 'Hi {{name|there}} <ada>,\r\n\r\n  1 & 2:\nhttps://x.example/?a=1&b={{token}}.\n';

	test('keeps lines, spaces and signs, makes links, and goes as text, too', async () => {
		const { error, hints } = await send({ content: 'text', text, ...variables });
		expect([error, hints.length]).toEqual([undefined, 1]);
		const [{ html, ...body }] = await bodies();
		expect(body).toMatchObject({ subject: 'Hello', text });
		const link = 'https://x.example/?a=1&amp;b={{token}}';
		expect(html).toBe(
			`<div style="white-space: pre-wrap">Hi {{name|there}} &lt;ada&gt;,<br><br>&nbsp; 1 &amp; 2:<br><a href="${link}">${link}</a>.<br></div>`,
		);
	});

	test('keeps tokens as they are, whatever stands in them', async () => {
		const given = 'See https://x.example/{{slug|my page}}, {{  name  }}  {{name|a\nb}}';
		const { error } = await send({ content: 'text', text: given, ...variables });
		expect(error).toBeUndefined();
		const [{ html }] = await bodies();
		const link = 'https://x.example/{{slug|my page}}';
		expect(html).toBe(
			`<div style="white-space: pre-wrap">See <a href="${link}">${link}</a>, {{  name  }}&nbsp; {{name|a\nb}}</div>`,
		);
	});

	test('shows braces of data, which the service makes the text of', async () => {
		await send({ content: 'text', text: '=It says: {{ $json.failed }}' });
		const [body] = await bodies();
		const shown = "It says: 'HTML' has &#123;&#123; $json.body.email }}";
		expect(body.html).toBe(`<div style="white-space: pre-wrap">${shown}</div>`);
		expect(body).not.toHaveProperty('text');
	});

	test.each([
		[' \n', "'Text' is empty"],
		['Hi {{name}}', "Tokens in 'Text' have no value: name"],
		['Hi {{  name  }}', "Tokens in 'Text' have no value: name"],
		['=Hi {{ $json.none }}', "'Text' is incomplete"],
		['{{#if vip}}', "'Text' has {{#if vip}}, which is neither a token nor code that n8n knows"],
		['&'.repeat(60_000), "'Text' has 300041 bytes, and the service accepts at most 262144"],
	])('refuses %.20s', async (given, message) => {
		expect((await send({ content: 'text', text: given })).error?.message).toBe(message);
		expect(await bodies()).toEqual([]);
	});
});

describe('a text that is empty because an expression gave nothing', () => {
	test.each<[string, INodeParameters]>([
		['Text', { content: 'text', text: '={{ $json.note }}' }],
		['HTML', { html: '={{ $json.note }}' }],
		['Subject', { html: 'Hi', subject: '={{ $json.note }}' }],
		['Template Slug', { content: 'template', templateSlug: '={{ $json.note }}' }],
	])('is refused with the expression: %s', async (name, parameters) => {
		for (const note of [null, '']) {
			const { error } = await send(parameters, [{ note }]);
			expect(error?.message).toBe(`'${name}' is empty`);
			expect(error?.description).toBe(
				"The message to ada@example.com wasn't sent. The expression “{{ $json.note }}” gave nothing. $json.note has no value in this item.",
			);
		}
		const typed = Object.fromEntries(
			Object.entries(parameters).map(([key, value]) => [
				key,
				value === '={{ $json.note }}' ? '=' : value,
			]),
		);
		const { error } = await send(typed, [{}]);
		expect([error?.message, error?.description]).toEqual([
			`'${name}' is empty`,
			expect.not.stringContaining('gave nothing'),
		]);
		expect(await bodies()).toEqual([]);
	});
});

test('a piece that ends in a semicolon is evaluated with the others', async () => {
	const evaluate = jest.spyOn(ExecuteContext.prototype, 'evaluateExpression');
	await send({ html: '={{ $json.name; }} {{ $json.count; }}' });
	const codes = evaluate.mock.calls.filter(([code]) => code.includes('$json.count'));
	evaluate.mockRestore();
	expect(codes).toHaveLength(1);
	expect((await bodies())[0].html).toBe('Ada 2');
});

describe('HTML that no reader could use is refused', () => {
	test.each([
		['```html\n<p>Hi</p>\n```', 'is in a code fence'],
		['={{ $json.output }}', 'is in a code fence'],
		['={{ $json.output }}', 'add .trim().replace(/^```\\w*\\n|\\n```$/g, "") to the expression'],
		['<img src="cid:image001.png@01D">', 'cid:image001.png@01D'],
		["<img width=1 src='file:///C:/logo.png'>", 'file:///C:/logo.png'],
		['<td background = cid:b.png>', 'cid:b.png'],
		['<div style="background:url(cid:b.png)">', 'cid:b.png'],
	])('%s', async (html, problem) => {
		const { error } = await send({ html }, [{ output: '```\n<p>Hi</p>\n```\n' }]);
		expect(`${error?.message}\n${error?.description}`).toContain(problem);
		if (html.includes('cid:')) expect(error?.message).toMatch(/show: cid:[\w.@]+$/);
		expect(await bodies()).toEqual([]);
	});

	test('the advice takes the fence off', async () => {
		const output = '```html\n<p>Run `npm` in ```</p>\n```\n';
		const html = '={{ $json.output.trim().replace(/^```\\w*\\n|\\n```$/g, "") }}';
		expect((await send({ html }, [{ output }])).error).toBeUndefined();
		expect((await bodies())[0].html).toBe('<p>Run `npm` in ```</p>');
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
	])('%s', async (_what, given, html) => {
		const { error } = await send({ html, ...given });
		expect(error).toBeUndefined();
		const { data } = await sandbox.control('GET', '/inbox');
		expect(data).toMatchObject([{ html: 'Ada' }]);
		expect(Object.values((await bodies())[0].variables ?? {})).not.toContain(null);
	});

	test('of a part of a variable, if the service knows such parts', async () => {
		await send({ html: '{{contact.name}}', ...json('{ "contact": { "name": "Ada" } }') });
		expect(await bodies()).toHaveLength(1);
	});

	test.each(['{{firstName}}', '={{ firstName }}'])(
		'not of a name with braces: %s',
		async (name) => {
			const { error } = await send({ html: 'Hi', ...fields(name, 'Ada') });
			expect(error?.message).toBe("'Variables → Name' has braces");
			expect(error?.description).toContain('without braces: firstName');
		},
	);
});

// Interface: SEND-12, SEND-13, SEND-15, SEND-17, ERROR-1.
describe('tokens in a field that is set to Expression stay tokens', () => {
	const text = '={{firstName|you}}, {{ $json.order }}: {{ word |as ordered}}';
	const items = [{ given: 'Ada', order: 1042 }];

	test('in HTML, Subject and Plain Text, with the variables beside them', async () => {
		const texts = { html: text, subject: text, additionalFields: { text } };
		const ada = fields('firstName', '={{ $json.given }}');
		const { error, hints } = await send({ ...texts, ...ada }, items);
		expect(error).toBeUndefined();
		const filled = 'Ada, 1042: as ordered';
		const { data } = await sandbox.control('GET', '/inbox');
		expect(data).toMatchObject([{ html: filled, subject: filled }]);
		expect((await bodies())[0].text).toBe('{{firstName|you}}, 1042: {{ word |as ordered}}');
		expect(hints).toEqual([]);
	});

	test.each<[INodeParameters, string]>([
		[{ html: '{{contact.nmae}}', ...json('{ "contact": { "name": "Ada" } }') }, "'HTML'"],
		[{ html: 'Hello', subject: '{{ name }} {{ total }}' }, "'Subject'"],
		[{ html: '{{else}}' }, "'HTML'"],
		[{ html: '={{else}} {{this.name}}' }, "'HTML'"],
		[{ html: 'Hello', additionalFields: { text: '={{ name }}' } }, "'Plain Text'"],
		[{ html: '={{ name }}', subject: '={{ total }}' }, "'Subject', 'HTML'"],
	])('without a value is refused: %j', async (parameters, fieldNames) => {
		const { error } = await send(parameters);
		expect(error?.message).toMatch(`Tokens in ${fieldNames} have no value: `);
		expect(error?.description).toMatch('a field of the item {{ $json.');
		const areSeveral = error?.message.includes(',') ?? false;
		const isBlock = String(parameters.html).includes('else');
		const toAdd = areSeveral ? 'variables of these names' : 'of that name';
		const advice = isBlock ? '{{else}} and {{this.…}} are of another template language' : toAdd;
		expect(error?.description).toContain(advice);
		expect(await bodies()).toEqual([]);
	});
});
