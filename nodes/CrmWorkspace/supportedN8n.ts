import { NodeConnectionTypes } from 'n8n-workflow';

// Has to be imported first: n8n before 1.83 doesn't export NodeConnectionTypes, and would fail
// with an error that only says that something is undefined.
if ((NodeConnectionTypes as unknown) === undefined) {
	throw new Error(
		'n8n-nodes-crm-workspace needs n8n 1.85 or newer: update n8n, then start it again',
	);
}
