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
	...{ bank: 'Hernandez, Finance', data: '{"l":[null]}', encoded: btoa('undefined is fine') },
	...{ price: 'x', short: '{', site: 'https://x.example/' },
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

const inbox = async (): Promise<any[]> => (await sandbox.control('GET', '/inbox')).data;

/** The one request's body of a message that has to be sent. */
const sentBody = async (...given: Parameters<typeof send>) => {
	const { error } = await send(...given);
	expect([error?.message, error?.description]).toEqual([undefined, undefined]);
	return (await bodies())[0];
};

/** Nothing was sent, and the error says this. */
const expectRefused = async (
	parameters: INodeParameters,
	message: string,
	advice = '',
	items = [item],
) => {
	const { error } = await send(parameters, items);
	expect(error?.message).toBe(message);
	expect(error?.description ?? '').toContain(advice);
	expect(await bodies()).toEqual([]);
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
	'{{case.id|1}} {{package.id|2}} {{document.id|3}} {{Math.x|4}}',
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
	['{{ $json.site.replace(/^https?:\\/\\/|\\/$/g, "") }} x', 'x.example x'],
	['{{ $json.name ? `A&nbsp;${$json.name}` : "" }}', 'A&nbsp;Ada'],
	['{{ $json.name + "\'s list & more" }}', "Ada's list & more"],
	['{{ $if($json.count > 1, "orders", "order") }}', 'orders'],
	['{{ $json.city === null ? "no city" : $json.city }}', 'no city'],
	['{{ $json.city === null ? "The city is null" : $json.city }}', 'The city is null'],
	['{{ $json.city == null }} {{ typeof $json.nope === "undefined" }}', 'true true'],
	['{{ $json.flags & 2 }} {{ $json.flags | 1 }} {{ $json.total | 0 }}', '2 7 1234'],
	['{{ $json.paid ? "NaN" : "Infinity" }} {{ $json.none ? 1 : "Null" }}', 'Infinity Null'],
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
	['<a href="x?t={{ encodeURIComponent($json.token) }}">', '<a href="x?t=abcNaNdef">'],
	['{{ "https://x.example/?t=" + $json.key }}', 'https://x.example/?t=a/NaN+/null='],
	['<img src="data:,{{ $(`Source`).first().json.key }}">', '<img src="data:,a/NaN+/null=">'],
	['{{ JSON.stringify($json.items[0]) }} x', '{"title":"Tea","price":4.5,"note":null} x'],
	['{{ JSON.stringify({ city: $json.city }, null, 1) }} x', '{\n "city": null\n} x'],
	['{{ `${$json.model}, ${$json.model}${$json.none ?? ""}` }}', 'x is NaN, x is NaN'],
	['<a href="{{ $json.link }}">', '<a href="https://x.example/?a=1&b=%7B%7B%22c%22%7D%7D">'],
	['{{ $json.block }}!', '{% if vip %}!'],
	['<p>{{ $json.braces }}</p>', '<p>Hi &#123;&#123;first}}</p>'],
	['<p>{{ $json.failed + "" }}</p>', "<p>'HTML' has &#123;&#123; $json.body.email }}</p>"],
	['<p>{{ $json.css }}{{ $json.short }}{a}}</p>', '<p>a{b&#123;&#123;c}}}&#123;{a}}</p>'],
	['<p>{{ [$json.braces] }}</p>', '<p>Hi &#123;&#123;first}}</p>'],
	['{{ `<p>.a{b:c}</p>${$json.braces}` }} x', '<p>.a{b:c}</p>Hi &#123;&#123;first}} x'],
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
		'{{ $json.items.map((o) => `<b>${o.title}: ${o.note}`).join() }}',
		'“‹b›Tea: null,‹b›Pot: null”',
	],
	[
		'{{ Object.entries($json.items[0]).map(([, v]) => "<td>" + v).join("") }}',
		'“‹td›Tea‹td›4.5‹td›null”',
	],
	['{{ (5 / $json.zero).toLocaleString("de-DE") }}', '“∞”'],
];

const noToken = (piece: string) => {
	const shown = piece.replaceAll('<', '‹').replaceAll('>', '›');
	return `'HTML' has ${shown}, which is neither a token nor code that n8n knows`;
};
const writeToken = 'Write a token, {{name}} or {{name|there}} without spaces';

describe.each(expressionEngines)("n8n's expression engine %s", (engine) => {
	beforeAll(async () => await useExpressionEngine(engine));
	afterAll(async () => await useExpressionEngine('legacy'));

	test.each(evaluated)('sends %s', async (html, sent) => {
		expect((await sentBody({ html: `=${html}`, ...variables })).html).toBe(sent);
	});

	test.each(holes)('refuses %s', async (code, gave) => {
		await expectRefused({ html: `=Pay ${code} now` }, "'HTML' is incomplete", `gave ${gave}`);
	});

	test.each(foreign)('refuses %s', async (html, piece = html) => {
		await expectRefused({ html: `=${html}`, ...variables }, noToken(piece), writeToken);
	});

	test.each<[string, INodeParameters, string]>([
		['To', { to: '={{ <b>$json.email</b> }}' }, '{{ ‹b›$json.email‹/b› }}'],
		['Simplify', { simplify: '={{ <b>true</b> }}' }, 'an expression'],
	])('names %s if it is code that n8n cannot read: %j', async (name, parameters, code) => {
		const problem = `'${name}' has ${code}, which is neither a token nor code that n8n knows`;
		await expectRefused({ html: 'Hi', ...parameters }, problem);
	});

	test.each(miscalculated)('refuses %s', async (code) => {
		const { error } = await send({ html: `=Pay ${code} now` });
		expect(error?.message).toMatch(/^'HTML' has .+ n8n knows$/);
		expect(await bodies()).toEqual([]);
	});
});

/** A field that is typed or pasted into is an expression; in a workflow written by hand it is Fixed. */
test.each(written)('is sent as it is written, as an expression and Fixed: %s', async (html) => {
	expect((await sentBody({ html: `=${html}`, ...variables })).html).toBe(html);
	await send({ html, ...variables });
	expect((await bodies())[1].html).toBe(html);
});

test.each(foreign)('in a field set to Fixed is refused: %s', async (html, piece = html) => {
	await expectRefused({ html, ...variables }, noToken(piece), writeToken);
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
			const items = [{ page: `<p>${braces}</p>` }];
			const problem = `'HTML' has ${braces}, which came with the value of “{{ $json.page }}” and isn't a token`;
			const advice = 'put text around the expression';
			await expectRefused({ html: '={{ $json.page }}\n' }, problem, advice, items);
		},
	);

	test('tokens in HTML of an expression are tokens', async () => {
		const page = { html: '={{ $json.page }}', ...variables };
		expect((await sentBody(page, [{ page: 'Hi {{name}}' }])).html).toBe('Hi {{name}}');
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
		expect((await sentBody(texts, [{ error }])).html).toBe(error);
	});

	test.each<[string, INodeParameters]>([
		['Subject', { subject: '=Re: {{ $json.braces }}, thanks' }],
		['Plain Text', { additionalFields: { text: '=> {{ $json.braces }}' } }],
	])('braces are no token in %s either', async (name, parameters) => {
		const problem = `'${name}' has braces that came with the item's data: {{first}}`;
		await expectRefused({ html: 'Hello', ...parameters }, problem, 'A variable carries any text');
	});
});

describe('a token whose variable', () => {
	const withA = (value: unknown) => ({
		html: 'Hi {{a}}',
		...json(`={{ { a: ${JSON.stringify(value)} } }}`),
	});

	test.each([{ city: 'London' }, [{ title: 'Tea' }], {}])(
		'is an object is refused: %j',
		async (value) => {
			const problem = 'The variable for {{a}} is an object, not text';
			await expectRefused(withA(value), problem, 'Give the variable one text');
		},
	);

	test.each(['Tea', 0, false])('is %j, and so no object, is sent', async (value) => {
		expect((await sentBody(withA(value))).variables).toEqual({ a: value });
	});

	test("is an object is sent with a stored template, whose tokens aren't known", async () => {
		await send({ ...withA({ b: 1 }), content: 'template', templateSlug: 'welcome' });
		expect(await bodies()).toHaveLength(1);
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
		const { html } = await sentBody({ content: 'text', text: given, ...variables });
		const link = 'https://x.example/{{slug|my page}}';
		expect(html).toBe(
			`<div style="white-space: pre-wrap">See <a href="${link}">${link}</a>, {{  name  }}&nbsp; {{name|a\nb}}</div>`,
		);
	});

	test('shows braces of data, which the service makes the text of', async () => {
		const body = await sentBody({ content: 'text', text: '=It says: {{ $json.failed }}' });
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
		await expectRefused({ content: 'text', text: given }, message);
	});
});

describe('an empty text is refused', () => {
	const inFields = (text: string): Array<[string, INodeParameters]> => [
		['Text', { content: 'text', text }],
		['HTML', { html: text }],
		['Subject', { html: 'Hi', subject: text }],
		['Template Slug', { content: 'template', templateSlug: text }],
	];

	test.each(inFields('={{ $json.note }}'))('with its expression: %s', async (name, parameters) => {
		const advice =
			"The message to ada@example.com wasn't sent. The expression “{{ $json.note }}” gave nothing. $json.note has no value in this item.";
		for (const note of [null, '']) {
			await expectRefused(parameters, `'${name}' is empty`, advice, [{ note }]);
		}
	});

	test.each(inFields('='))('and names none if there is none: %s', async (name, parameters) => {
		const { error } = await send(parameters);
		expect(error?.message).toBe(`'${name}' is empty`);
		expect(error?.description).not.toContain('gave nothing');
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
		expect((await sentBody({ html }, [{ output }])).html).toBe('<p>Run `npm` in ```</p>');
	});
});

// Interface: SEND-12, SEND-17.
describe('a token gets its value', () => {
	test.each<[string, string, INodeParameters]>([
		['of a name that is a number', '{{7}}', fields('={{ 7 }}', 'Ada')],
		['of a name with a dot', '{{contact.name}}', fields('contact.name', 'Ada')],
		['of a name with invisible signs', '{{first}}', fields('\ufefffirst\u200b ', 'Ada')],
		['from its fallback if the variable is null', '{{name|Ada}}', fields('name', '={{ null }}')],
		['from its fallback if it is null in JSON', '{{name|Ada}}', json('{ "name": null }')],
	])('%s', async (_what, html, given) => {
		const { variables = {} } = await sentBody({ html, ...given });
		expect(await inbox()).toMatchObject([{ html: 'Ada' }]);
		expect(Object.values(variables)).not.toContain(null);
	});

	test('of a part of a variable, if the service knows such parts', async () => {
		await send({ html: '{{contact.name}}', ...json('{ "contact": { "name": "Ada" } }') });
		expect(await bodies()).toHaveLength(1);
	});

	test.each(['{{firstName}}', '={{ firstName }}'])(
		'not of a name with braces: %s',
		async (name) => {
			const parameters = { html: 'Hi', ...fields(name, 'Ada') };
			const advice = 'without braces: firstName';
			await expectRefused(parameters, "'Variables → Name' has braces", advice);
		},
	);
});

// Interface: SEND-12, SEND-13, SEND-15, SEND-17, ERROR-1.
describe('tokens in a field that is set to Expression stay tokens', () => {
	test('in HTML, Subject and Plain Text, with the variables beside them', async () => {
		const text = '={{firstName|you}}, {{ $json.order }}: {{ word |as ordered}}';
		const texts = { html: text, subject: text, additionalFields: { text } };
		const ada = fields('firstName', '={{ $json.given }}');
		const { error, hints } = await send({ ...texts, ...ada }, [{ given: 'Ada', order: 1042 }]);
		expect(error).toBeUndefined();
		const filled = 'Ada, 1042: as ordered';
		expect(await inbox()).toMatchObject([{ html: filled, subject: filled }]);
		expect((await bodies())[0].text).toBe('{{firstName|you}}, 1042: {{ word |as ordered}}');
		expect(hints).toEqual([]);
	});

	const one = 'variable of that name';
	const several = 'variables of these names';
	const block = '{{else}} and {{this.…}} are of another template language';

	test.each([
		['{{contact.nmae}}', 'Hi', '', "'HTML' have no value: contact.nmae", one],
		['Hi', '{{ name }} {{ total }}', '', "'Subject' have no value: name, total", several],
		['{{else}}', 'Hi', '', "'HTML' have no value: else", block],
		['={{else}} {{this.name}}', 'Hi', '', "'HTML' have no value: else, this.name", block],
		['Hi', 'Hi', '={{ name }}', "'Plain Text' have no value: name", one],
		['={{ a }}', '={{ b }}', '', "'Subject', 'HTML' have no value: b, a", several],
	])(
		'without a value are refused: HTML %s, Subject %s, Plain Text %s',
		async (html, subject, text, problem, advice) => {
			const given = json('{ "contact": { "name": "Ada" } }');
			const texts = { html, subject, additionalFields: { text } };
			const { error } = await send({ ...texts, ...given });
			expect(error?.message).toBe(`Tokens in ${problem}`);
			expect(error?.description).toContain('a field of the item {{ $json.');
			expect(error?.description).toContain(advice);
			expect(await bodies()).toEqual([]);
		},
	);
});
