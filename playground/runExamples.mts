import { FormData, fetch, request } from 'undici';
import { type N8n, type StoredWorkflow, until } from './client.mts';
import {
	contactsTable,
	type ExampleCredentials,
	type ExampleName,
	exampleNames,
	importExample,
} from './examples.mts';

/** The running sandbox, as far as the examples have to do with it. */
export interface Service {
	baseUrl: string;
	controlUrl: string;
	testKey: string;
}

/** What came of one example, as the service saw it. */
export interface Outcome {
	workflow: string;
	/** What happened at the service, for each message, with its text, and each contact. */
	effects: Array<{ what: string; who: string; details: string }>;
	messages: number;
	contacts: number;
	/** Set when the example did not do what it should. */
	problem?: string;
}

interface Context {
	n8n: N8n;
	service: Service;
	workflow: StoredWorkflow;
	eventHeader: Record<string, string>;
	/** To be called when nothing is left but to wait. */
	waits: () => void;
}

const runs: Record<ExampleName, (context: Context) => Promise<Partial<Outcome>>> = {
	'form-to-template-email': submitForm,
	'webhook-to-inline-email': sendEvent,
	'schedule-to-contact-updates': runNightly,
	'new-contact-to-welcome-email': addContacts,
};

/** Imports each example and runs it the way the world would. */
export async function runExamples(
	n8n: N8n,
	service: Service,
	{ eventHeader }: ExampleCredentials,
): Promise<Outcome[]> {
	// One of them waits for n8n to poll again, and the others take their turn in the meantime.
	const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
	return await Promise.all(
		exampleNames.map(async (name) => {
			const workflow = await importExample(n8n, name);
			if (runs[name] !== addContacts) await isWaiting;
			const nothing = { workflow: workflow.name, effects: [], messages: 0, contacts: 0 };
			const context = { n8n, service, workflow, eventHeader, waits };
			const outcome = await runs[name](context)
				.catch((error: Error) => ({ problem: error.message }))
				.finally(waits);
			return { ...nothing, ...outcome };
		}),
	);
}

/** Submits the form at its production address, as a browser does. */
async function submitForm({ n8n, service, workflow }: Context): Promise<Partial<Outcome>> {
	await n8n.activate(workflow);
	const answers = new FormData();
	answers.set('field-0', 'Maya');
	answers.set('field-1', 'maya@example.com');
	answers.set('field-2', 'Analytical Engines Ltd');
	const status = await until('the form', async () => {
		const response = await fetch(`${n8n.url}/form/sign-up`, { method: 'POST', body: answers });
		// n8n takes a moment to register the form.
		return response.status === 404 ? undefined : response.status;
	});
	if (status !== 200) throw new Error(`the form answered ${status}`);
	await succeeded(n8n, workflow);
	return sent(service, 'maya@example.com', 'Welcome, Maya');
}

/** Posts the event to the production webhook, about a contact the service knows. */
async function sendEvent(context: Context): Promise<Partial<Outcome>> {
	const { n8n, service, workflow, eventHeader } = context;
	await n8n.activate(workflow);
	const [contact] = await someContacts(service, 1);
	await n8n.webhook('crm-event', { contact: { ...contact, owner: 'Noor' } }, eventHeader);
	await succeeded(n8n, workflow);
	return sent(service, contact.email, `Nice to meet you, ${contact.firstName}`);
}

/**
 * Fills the table and runs the schedule's workflow without waiting for the night: rows that
 * changed, one that did not, and one of an address that no one has.
 */
async function runNightly({ n8n, service, workflow }: Context): Promise<Partial<Outcome>> {
	const [same, ...contacts] = await someContacts(service, 4);
	const changes = contacts.map(({ email }, index) => ({
		email: email.toUpperCase(),
		jobTitle: ['Rear Admiral (retired)', 'Cryptanalyst', 'Head of Research'][index],
		phone: `+44 20 7946 000${index}`,
	}));
	const nobody = { email: 'nobody@example.com', jobTitle: 'Unknown', phone: '' };
	const unchanged = { email: same.email, jobTitle: same.jobTitle ?? '', phone: same.phone ?? '' };
	await n8n.createDataTable(contactsTable, [...changes, unchanged, nobody]);

	const execution = await n8n.run(workflow, 'Every Night');
	if (execution.status !== 'success') throw new Error(failure(execution));
	const report = await sent(service, 'you@example.com', 'Contact sync: rows that failed: 1');
	const written = await updated(service, changes, same);
	return { ...written, ...report, effects: [...written.effects, ...report.effects] };
}

/**
 * Adds two contacts, one of them without an email address, and waits until n8n asks for new ones:
 * once a minute. Those that were there when it asked first get nothing.
 */
async function addContacts({ n8n, service, workflow, waits }: Context): Promise<Partial<Outcome>> {
	const before = await contactsRead(service);
	await n8n.activate(workflow);
	await until('n8n to see which contacts there are', async () =>
		(await contactsRead(service)) > before ? true : undefined,
	);
	const subject = 'Welcome, Wilma';
	const controls = `${service.controlUrl}/contacts`;
	await ask(controls, { body: { firstName: 'Nobody', company: 'No Address Ltd' } });
	await ask(controls, {
		body: { firstName: 'Wilma', email: 'wilma@example.com', company: 'Example Inc' },
	});
	waits();
	const hasArrived = async () => {
		const executions = await n8n.executions(workflow.id);
		const failed = executions.find(({ status }) => status === 'error' || status === 'crashed');
		if (failed) throw new Error(failure(await n8n.execution(failed.id)));
		return (await inbox(service)).some((one) => one.subject === subject) || undefined;
	};
	// n8n polls once a minute.
	await until('n8n to ask for new contacts', hasArrived, { seconds: 180 });
	return sent(service, 'wilma@example.com', subject);
}

async function succeeded(n8n: N8n, workflow: StoredWorkflow): Promise<void> {
	const execution = await n8n.nextEnded(workflow.id);
	if (execution.status !== 'success') throw new Error(failure(execution));
}

function failure({ status, data }: Awaited<ReturnType<N8n['execution']>>): string {
	return data.resultData.error?.message ?? `the execution ended with ${status}`;
}

async function sent(
	service: Service,
	to: string,
	subject: string,
): Promise<Pick<Outcome, 'messages' | 'effects'>> {
	const messages = await inbox(service);
	const message = messages.find((one: any) => one.to === to && one.subject === subject);
	if (!message) throw new Error(`no message '${subject}' to ${to} in the inbox`);
	const details = `${subject}\n\n${message.text}`;
	return { messages: 1, effects: [{ what: 'message sent', who: to, details }] };
}

/** How often someone was given contacts. */
async function contactsRead({ controlUrl }: Service): Promise<number> {
	const { data: requests } = await ask(`${controlUrl}/requests`);
	return requests.filter(
		({ method, path, status }: any) => [method, path, status].join(' ') === 'GET /contacts 200',
	).length;
}

async function inbox({ controlUrl }: Service): Promise<Array<Record<string, any>>> {
	return (await ask(`${controlUrl}/inbox`)).data;
}

async function updated(
	service: Service,
	changes: Array<{ email: string } & Record<string, string>>,
	untouched: Record<string, any>,
): Promise<Pick<Outcome, 'contacts' | 'effects'>> {
	const contacts = await someContacts(service, 100);
	const named = (address: string) =>
		contacts.find(({ email }) => email.toLowerCase() === address.toLowerCase());
	const effects = changes.map(({ email, ...values }) => {
		const contact = named(email);
		const kept = Object.entries(values).every(([name, value]) => contact?.[name] === value);
		if (!contact || !kept) throw new Error(`the contact ${email} was not updated`);
		const details = Object.values(values).join(', ');
		return { what: 'contact updated', who: `${contact.firstName} ${contact.lastName}`, details };
	});
	if (named(untouched.email)?.updatedAt !== untouched.updatedAt) {
		throw new Error(`the contact ${untouched.email} was written although it is unchanged`);
	}
	return { contacts: effects.length, effects };
}

async function someContacts(service: Service, count: number): Promise<Array<Record<string, any>>> {
	const { baseUrl, testKey: key } = service;
	return (await ask(`${baseUrl}/contacts?page=1&limit=${count}`, { key })).data;
}

/** Asks the service with its key, or one of its controls; with a body, it is a POST. */
async function ask(url: string, given: { key?: string; body?: object } = {}): Promise<any> {
	const { statusCode, body: answer } = await request(url, {
		method: given.body ? 'POST' : 'GET',
		headers: {
			...(given.key && { authorization: `Bearer ${given.key}` }),
			...(given.body && { 'content-type': 'application/json' }),
		},
		body: given.body && JSON.stringify(given.body),
		// A connection that waits may be closed just when it is used.
		reset: true,
	});
	if (statusCode >= 300) throw new Error(`${url}: ${statusCode} ${await answer.text()}`);
	return answer.json();
}
