// @ts-check
import { html, nothing } from 'lit/html.js';

/**
 * A field of a form. What is typed into it stays while the page is shown anew.
 * @param {string} name
 * @param {string} label
 * @param {object} [options]
 * @param {string} [options.type]
 * @param {string | number} [options.value]
 * @param {number | null} [options.min] of a number; null for none
 * @param {number} [options.max]
 * @param {number | 'any'} [options.step]
 * @param {boolean} [options.required]
 * @param {string[]} [options.choices]
 */
export function field(name, label, options = {}) {
	const { type = 'text', value = '', min = 0, max, step = 1, required = false, choices } = options;
	const number = type === 'number';
	if (choices) {
		return html`<label
			>${label}<select name=${name}>
				${choices.map((choice) => html`<option>${choice}</option>`)}
			</select></label
		>`;
	}
	return html`<label
		>${label}<input
			name=${name}
			type=${type}
			value=${value}
			min=${number ? (min ?? nothing) : nothing}
			max=${max ?? nothing}
			step=${number ? step : nothing}
			?required=${required}
			autocomplete="off"
	/></label>`;
}

/**
 * @param {object} parts
 * @param {string} parts.title
 * @param {unknown} parts.text
 * @param {unknown} parts.fields
 * @param {string} parts.button
 * @param {(form: HTMLFormElement) => Promise<boolean>} parts.onSubmit whether it worked
 * @param {unknown} [parts.more]
 */
export function formCard({ title, text, fields, button, onSubmit, more = nothing }) {
	/** @param {Event} event */
	const submit = async ({ currentTarget }) => {
		const form = /** @type {HTMLFormElement} */ (currentTarget);
		if (await onSubmit(form)) form.reset();
	};
	return html`<h2>${title}</h2>
		<p>${text}</p>
		<form class="fields" aria-label=${title} @submit=${submit}>
			${fields}<button type="submit">${button}</button>
		</form>
		${more}`;
}

/**
 * What was filled in; an empty field is left out.
 * @param {HTMLFormElement} form
 * @returns {Record<string, unknown>}
 */
export function bodyFrom(form) {
	/** @type {Record<string, unknown>} */
	const given = {};
	for (const element of form.elements) {
		if (!(element instanceof HTMLInputElement || element instanceof HTMLSelectElement)) continue;
		const { name, type, value } = element;
		if (type === 'checkbox') given[name] = /** @type {HTMLInputElement} */ (element).checked;
		else if (value !== '') given[name] = type === 'number' ? Number(value) : value;
	}
	return given;
}
