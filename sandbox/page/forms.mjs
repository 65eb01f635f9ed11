// @ts-check
import { html, nothing } from 'lit/html.js';

/** @typedef {import('../control/forms.mts').Form} Form */
/** @typedef {{type?: string | string[], enum?: string[], minimum?: number, maximum?: number}} Property */

/**
 * A form with one field for each property of a JSON schema.
 * @param {Form} form
 * @param {(body: Record<string, unknown>) => Promise<boolean>} onSubmit whether it succeeded
 * @param {object} [values] the current ones
 */
export function schemaForm({ title, text, schema }, onSubmit, values = {}) {
	const before = textsOf(values);
	const fields = Object.entries(schema.properties);
	/** @param {Event} event */
	const submit = async (event) => {
		event.preventDefault();
		const form = /** @type {HTMLFormElement} */ (event.currentTarget);
		const texts = Object.fromEntries(new FormData(form));
		const changed = fields.filter(([name]) => texts[name] !== (before[name] ?? ''));
		const body = changed.map(([name, property]) => [
			name,
			valueFrom(String(texts[name]), property),
		]);
		if (await onSubmit(Object.fromEntries(body))) form.reset();
	};
	return html`<form aria-label=${title} @submit=${submit}>
		<p>${text}</p>
		<div class="fields">
			${fields.map(([name, property]) =>
				field(name, property, schema.required.includes(name), before[name] ?? ''),
			)}
		</div>
		<button>${title}</button>
	</form>`;
}

/** @param {object} values @returns {Record<string, string>} */
function textsOf(values) {
	const given = Object.entries(values).filter(([, value]) => value !== null);
	return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** @param {string} name @param {Property} property @param {boolean} required @param {string} value */
function field(name, property, required, value) {
	const type = String(property.type ?? 'any');
	const choices = property.enum ?? (type === 'boolean' ? ['true', 'false'] : undefined);
	const hints = { array: 'comma-separated', object: 'JSON', any: 'JSON or text' };
	const [, hint] = Object.entries(hints).find(([kind]) => type.startsWith(kind)) ?? [];
	const label = hint ? `${name} (${hint})` : name;
	if (choices) {
		return html`<label
			>${label}<select name=${name} ?required=${required}>
				${['', ...choices].map((one) => html`<option>${one}</option>`)}
			</select></label
		>`;
	}
	return html`<label
		>${label}<input
			name=${name}
			type=${type === 'integer' || type === 'number' ? 'number' : 'text'}
			value=${value}
			min=${property.minimum ?? nothing}
			max=${property.maximum ?? nothing}
			step=${type === 'number' ? 'any' : nothing}
			?required=${required}
			autocomplete="off"
	/></label>`;
}

/** The value of a field; null if it was emptied. @param {string} text @param {Property} property */
function valueFrom(text, { type = [] }) {
	if (text === '') return null;
	if (type.includes('array')) return text.split(',').map((one) => one.trim());
	if (type.includes('string')) return text;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
