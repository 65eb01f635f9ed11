// @ts-check

/**
 * What was worked on may be gone, and with it the place of whoever works by keyboard.
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

/** A browser tells only so that the focus is inside of a frame. */
export function markFrame() {
	const frame = document.querySelector('iframe');
	setTimeout(() => frame?.classList.toggle('focused', document.activeElement === frame));
}
