import type { FastifyInstance } from 'fastify';

import type { RecordKindName } from '../data/recordKinds.mts';
import type { Contact } from '../data/contacts.mts';
import type { StoredRecord } from '../data/records.mts';
import { ServiceError } from '../service/errors.mts';
import { checkEmail } from '../service/updateContact.mts';
import type { State } from '../state.mts';
import {
	bodyLimit,
	collectionPath,
	contactBody,
	contactsBody,
	modeQuery,
	recordBody,
	recordsBody,
	seedBody,
	type InMode,
} from './schemas.mts';

/** Controls that create, read and change the data of a workspace. */
export function addDataControls(control: FastifyInstance, state: State): void {
	control.post<{ Body: { seed?: number; contacts?: number } }>(
		'/seed',
		{ schema: { body: seedBody } },
		({ body }) => {
			state.reseed(body);
			return { seed: state.seed, contacts: state.contactCount };
		},
	);
	addContactControls(control, state);
	addRecordControls(control, state);
}

function addContactControls(control: FastifyInstance, state: State): void {
	const inMode = { querystring: modeQuery };

	control.get<InMode>('/contacts', { schema: inMode }, ({ query }) => ({
		data: state.contacts.all(query.mode),
	}));

	// Exact data for a test, without checks: two contacts may share an email.
	control.put<InMode & { Body: { contacts: Array<Partial<Contact>> } }>(
		'/contacts',
		{ bodyLimit, schema: { ...inMode, body: contactsBody } },
		({ query, body }) => {
			const now = state.clock.timestamp();
			const { length } = state.contacts.replaceAll(query.mode, body.contacts, now);
			return { contacts: length };
		},
	);

	control.post<InMode & { Body: Partial<Contact> }>(
		'/contacts',
		{ schema: { ...inMode, body: contactBody } },
		({ query: { mode }, body }, reply) => {
			checkEmail(state, mode, body.email ?? null);
			const [data] = state.contacts.insert(mode, [body], state.clock.timestamp());
			return reply.code(201).send({ data });
		},
	);

	control.patch<InMode & { Params: { id: string }; Body: Partial<Contact> }>(
		'/contacts/:id',
		{ schema: { ...inMode, body: contactBody } },
		({ query: { mode }, params, body }) => {
			checkEmail(state, mode, body.email ?? null, params.id);
			const data = state.contacts.update(mode, params.id, body, state.clock.timestamp());
			if (!data) throw unknownContact(params.id);
			return { data };
		},
	);

	control.delete<InMode & { Params: { id: string } }>(
		'/contacts/:id',
		{ schema: inMode },
		({ query, params }, reply) => {
			if (!state.contacts.delete(query.mode, params.id)) throw unknownContact(params.id);
			return reply.code(204).send();
		},
	);
}

function addRecordControls(control: FastifyInstance, state: State): void {
	interface InCollection extends InMode {
		Params: { collection: RecordKindName };
	}
	const schema = { querystring: modeQuery, params: collectionPath };

	control.get<InCollection>('/records/:collection', { schema }, ({ query, params }) => ({
		data: state.records.all(query.mode, params.collection),
	}));

	control.put<InCollection & { Body: { records: StoredRecord[] } }>(
		'/records/:collection',
		{ bodyLimit, schema: { ...schema, body: recordsBody } },
		({ query, params, body }) => {
			state.records.replaceAll(query.mode, params.collection, body.records);
			return { [params.collection]: body.records.length };
		},
	);

	control.post<InCollection & { Body: Partial<StoredRecord> }>(
		'/records/:collection',
		{ schema: { ...schema, body: recordBody } },
		({ query: { mode }, params: { collection }, body }, reply) => {
			const data = state.records.add(mode, collection, body, state.clock.timestamp());
			return reply.code(201).send({ data });
		},
	);
}

function unknownContact(id: string): ServiceError {
	return new ServiceError(404, 'CONTACT_NOT_FOUND', `There is no contact ${id}`);
}
