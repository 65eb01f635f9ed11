// @ts-check

/**
 * What was worked on may be gone, and with it the place of anyone who works by keyboard.
 * @param {Element | null | undefined} card in which it was
 */
export function keepFocus(card) {
	const { activeElement } = document;
	if (activeElement !== document.body && !activeElement?.matches(':disabled')) return;
	/** @type {HTMLElement | null} */
	const heading = (card?.isConnected ? card : document).querySelector('h2, h1');
	heading?.setAttribute('tabindex', '-1');
	heading?.focus();
}

/**
 * Leads to what was opened; and anyone who stood in what has gone, back to the list.
 * @param {boolean} opened whether something was
 * @param {string} left the link to what was open before
 */
export function placeFocus(opened, left) {
	const { activeElement } = document;
	const stands = activeElement !== document.body && activeElement?.checkVisibility();
	if (!opened && stands) return;
	/** @type {HTMLElement | null} */
	const next =
		document.querySelector('.opened .detail h2') ??
		document.querySelector(`.rows a[href="${CSS.escape(left)}"]`) ??
		document.querySelector('.rows');
	next?.focus({ preventScroll: true });
}

/**
 * The arrow keys go through a list, and Escape leads back to it from what was opened.
 * @param {KeyboardEvent} event
 */
export function steer(event) {
	const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
	if (!(target instanceof HTMLElement) || altKey || ctrlKey || metaKey || shiftKey) return;
	if (key === 'Escape' && target.closest('.detail') && !target.closest('form')) {
		/** @type {HTMLElement | null} */ (document.querySelector('.back a'))?.click();
	}
	const rows = [...(target.closest('.rows')?.querySelectorAll('a') ?? [])];
	const at = rows.findIndex((row) => row === target);
	/** @type {Record<string, number>} */
	const places = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: rows.length - 1 };
	if (rows.length === 0 || !(key in places)) return;
	event.preventDefault();
	rows.at(Math.min(places[key], rows.length - 1))?.focus();
}

/** A browser tells only so that the focus is inside of a frame. */
export function markFrame() {
	const frame = document.querySelector('iframe');
	setTimeout(() => frame?.classList.toggle('focused', document.activeElement === frame));
}
