import { NodeConnectionTypes } from 'n8n-workflow';

// To be imported first. An n8n before 1.83 knows connections by another name, and would only say
// that something is undefined.
if ((NodeConnectionTypes as unknown) === undefined) {
	throw new Error(
		'n8n-nodes-crm-workspace needs n8n 1.85 or newer: update n8n, then start it again',
	);
}
