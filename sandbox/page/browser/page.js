/** How often the page updates itself. */
const intervalMs = 1500;

/** What came of the last control. */
let said = '';

/** Reads the page again, and replaces the parts that are different by now. */
async function update() {
	const response = await fetch(location.href);
	const text = await response.text();
	if (!response.ok) throw new Error(text);
	const page = new DOMParser().parseFromString(text, 'text/html');
	for (const part of document.querySelectorAll('[data-live]')) {
		const now = page.getElementById(part.id);
		if (!now) return location.reload();
		if (now.innerHTML !== part.innerHTML) part.replaceChildren(...now.childNodes);
	}
}

/** Sends the JSON of a form's field to its control. */
async function send(form) {
	const { method, path } = form.dataset;
	const headers = { 'content-type': 'application/json' };
	const body = new FormData(form).get('body');
	const response = await fetch(`/_sandbox${path}`, { method, headers, body });
	said = response.ok ? `Done: ${method} ${path}` : (await response.json()).error;
}

/** Updates the page, after some work, and shows what came of it. */
async function show(work) {
	const status = document.querySelector('[role=status]');
	try {
		await work?.();
		await update();
		status.textContent = said;
	} catch (error) {
		status.textContent =
			error instanceof TypeError ? 'The sandbox does not respond' : error.message;
	}
}

// The page has no control yet when this runs, so none is used in vain.
document.addEventListener('submit', (event) => {
	if (!event.target.dataset.path) return;
	event.preventDefault();
	show(() => send(event.target));
});
document.addEventListener('change', ({ target }) => {
	if (target.matches('select')) target.form.requestSubmit();
});
setInterval(() => document.hidden || show(), intervalMs);
