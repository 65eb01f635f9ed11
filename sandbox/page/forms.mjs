// @ts-check
import { html, nothing } from 'lit/html.js';

/**
 * A field of a form. What is typed into it stays while the page is shown again.
 * @param {string} name
 * @param {string} label
 * @param {object} [options]
 * @param {string} [options.type] of an input, or 'textarea'
 * @param {string | number | null} [options.value]
 * @param {number | null} [options.min] of a number; null for none
 * @param {number} [options.max]
 * @param {number | 'any'} [options.step]
 * @param {boolean} [options.required]
 * @param {readonly string[]} [options.choices]
 */
export function field(name, label, options = {}) {
	const { type = 'text', min = 0, max, step = 1, required = false, choices } = options;
	const value = options.value ?? '';
	const number = type === 'number';
	if (choices) {
		return html`<label
			>${label}<select name=${name}>
				${choices.map((one) => html`<option ?selected=${one === value}>${one}</option>`)}
			</select></label
		>`;
	}
	if (type === 'textarea') {
		return html`<label
			>${label}<textarea name=${name} rows="3" .defaultValue=${String(value)}></textarea>
		</label>`;
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
 * A form that shows what was wrong beside its button, and is as at the start when it worked.
 * @param {object} parts
 * @param {string} parts.title
 * @param {unknown} parts.fields
 * @param {string} parts.button
 * @param {(form: HTMLFormElement) => Promise<string>} parts.onSubmit what was wrong; empty for nothing
 */
export function formOf({ title, fields, button, onSubmit }) {
	/** @param {Event} event */
	const submit = async ({ currentTarget }) => {
		const form = /** @type {HTMLFormElement} */ (currentTarget);
		const problem = /** @type {HTMLElement} */ (form.querySelector('.problem'));
		problem.textContent = '';
		problem.textContent = await onSubmit(form);
		if (!problem.textContent) form.reset();
	};
	return html`<form class="fields" aria-label=${title} @submit=${submit}>
		${fields}
		<p class="problem" role="alert"></p>
		<button type="submit">${button}</button>
	</form>`;
}

/**
 * A form with its heading, for a card.
 * @param {Parameters<typeof formOf>[0] & {text: unknown, more?: unknown}} parts
 */
export function formCard({ text, more = nothing, ...form }) {
	return html`<h2>${form.title}</h2>
		<p>${text}</p>
		${formOf(form)} ${more}`;
}

/**
 * What was filled in; an empty field is left out.
 * @param {HTMLFormElement} form
 * @returns {Record<string, unknown>}
 */
export function bodyFrom(form) {
	const filled = fieldsOf(form).filter(({ type, value }) => type === 'checkbox' || value !== '');
	return Object.fromEntries(filled.map((one) => [one.name, valueOf(one)]));
}

/**
 * What is another value now than when the form was shown; null for what was emptied.
 * @param {HTMLFormElement} form
 * @returns {Record<string, unknown>}
 */
export function changesFrom(form) {
	const untouched = /** @type {HTMLFormElement} */ (form.cloneNode(true));
	untouched.reset();
	const before = fieldsOf(untouched);
	const changed = fieldsOf(form).filter(({ value }, index) => value !== before[index].value);
	return Object.fromEntries(
		changed.map((one) => [one.name, one.value === '' ? null : valueOf(one)]),
	);
}

/**
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement[]} its inputs, and what is read like one
 */
function fieldsOf(form) {
	const fields = form.querySelectorAll('input, select, textarea');
	return /** @type {HTMLInputElement[]} */ ([...fields]);
}

/** @param {HTMLInputElement} field */
function valueOf({ type, value, checked }) {
	if (type === 'checkbox') return checked;
	return type === 'number' ? Number(value) : value;
}
