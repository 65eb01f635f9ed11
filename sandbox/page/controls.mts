import { addressOutcomes } from '../addresses.mts';
import { faultKinds } from '../control/faults.mts';
import { variantDefinitions, variantNames } from '../variants.mts';
import { html, type Content, type Html } from './html.mts';
import { badge, controlForm, facts, foreign, time, type Control, type Shown } from './parts.mts';

/** Settings, controls and variants. */
export function showControls(shown: Shown): Html {
	const { place, host, state } = shown;
	return html`<h1>Controls</h1>
		${facts('credential', [
			['Base URL', html`<code>http://${host}/api/v1</code>`],
			['Test key', html`<code>${state.keys.test}</code>`],
			['Live key', html`<code>${state.keys.live}</code>`],
		])}
		${settings(shown)}
		${examples.map(
			({ hint, ...control }) =>
				html`<details name="controls">
					<summary>${control.title}</summary>
					<p>${hint}</p>
					${controlForm(place, control)}
				</details>`,
		)}
		${variants(shown)}`;
}

/** Controls with an example of their body, which can be edited. */
const examples: Array<Control & { hint?: string }> = [
	{
		title: 'Add a fault',
		hint: `Affects the next request that matches. Kinds: ${faultKinds.join(', ')}`,
		method: 'POST',
		path: '/faults',
		body: { kind: 'status', status: 503, path: '/contacts', next: 1 },
	},
	{ title: 'End all faults', method: 'DELETE', path: '/faults' },
	{
		title: 'Set an address',
		hint: `The outcome of messages for it: ${addressOutcomes.join(', ')}`,
		method: 'POST',
		path: '/addresses',
		body: { address: 'ada.lovelace@example.com', outcome: 'bounce' },
	},
	{
		title: 'Advance the clock',
		hint: 'In milliseconds. Timestamps, message states and the rate limit follow the clock',
		method: 'POST',
		path: '/clock',
		body: { advance: 60_000 },
	},
	{ title: 'Set the rate limit', method: 'PATCH', path: '/rate', body: { requestsPerMinute: 60 } },
	{ title: 'Set the latency', method: 'PATCH', path: '/latency', body: { latency: 500 } },
	{
		title: 'Add an activity',
		method: 'POST',
		path: '/records/activities',
		body: { type: 'note', summary: 'Asked for an offer' },
	},
	{
		title: 'Add a task',
		hint: 'It is overdue once the time has passed',
		method: 'POST',
		path: '/records/tasks',
		body: { title: 'Call Ada', dueAt: '2026-06-01T09:00:00Z' },
	},
	{ title: 'Clear the requests', method: 'DELETE', path: '/requests' },
	{ title: 'Restore the state of the start', method: 'POST', path: '/reset', body: {} },
];

const json = (value: object): Html => html`<code>${foreign(JSON.stringify(value))}</code>`;

function settings({ state: { clock, latency, rate, addresses, faults } }: Shown): Html {
	const { requestsPerMinute } = rate;
	return facts('settings', [
		['Clock', time(clock.timestamp())],
		['Latency', `${latency} ms`],
		['Rate limit', json({ requestsPerMinute, ...rate.report(clock.now()) })],
		['Addresses', json(addresses.all())],
		['Faults', json(faults.all())],
	]);
}

/** Text with code between backticks. */
const prose = (text: string): Content[] =>
	text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));

function variants({ state }: Shown): Html {
	const rows = variantNames.map((name) => {
		const { allowed, meaning } = variantDefinitions[name];
		const options = allowed.map((value) => {
			const selected = value === state.variants[name] ? html`selected` : '';
			return html`<option value="${JSON.stringify({ [name]: value })}" ${selected}>
				${value}
			</option>`;
		});
		return html`<tr>
			<th scope="row">
				${name} ${state.variants[name] === allowed[0] ? '' : badge('changed', '')}
			</th>
			<td>
				<form data-method="PATCH" data-path="/variants">
					<select name="body" aria-label="${name}">
						${options}
					</select>
				</form>
			</td>
			<td>${prose(meaning)}</td>
		</tr>`;
	});
	return html`<h2>Variants</h2>
		<p>Plausible behaviors of the service. The first value is the default.</p>
		<div class="overflow-auto">
			<table id="variants" data-live>
				${rows}
			</table>
		</div>`;
}
