import type { FastifyRequest } from 'fastify';

import type { Fault } from '../control/faults.mts';
import type { LoggedRequest } from '../control/requestLog.mts';
import type { Mode } from '../identity.mts';
import type { SetAside } from './updateContact.mts';

/** What the sandbox knows about a request during its processing. */
export interface Visit {
	logged: LoggedRequest;
	/** The data that the request addresses, once its key is known. */
	mode: Mode | undefined;
	fault: Fault | undefined;
	/** Fields of an update to which the rules don't apply. */
	aside: SetAside;
}

declare module 'fastify' {
	interface FastifyRequest {
		visit: Visit;
		rawBody: string;
	}
}

/** The mode of an authenticated request. */
export function modeOf(request: FastifyRequest): Mode {
	return request.visit.mode!;
}
