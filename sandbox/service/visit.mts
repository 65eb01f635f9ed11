import type { FastifyRequest } from 'fastify';

import type { Fault } from '../control/faults.mts';
import type { LoggedRequest } from '../control/requestLog.mts';
import type { Mode } from '../identity.mts';
import type { SetAside } from './updateContact.mts';

/** What the sandbox keeps about a request while it is being answered. */
export interface Visit {
	logged: LoggedRequest;
	/** Whose data the request addresses, once its key is known. */
	mode: Mode | undefined;
	fault: Fault | undefined;
	/** What of an update need not keep the field rules. */
	aside: SetAside;
}

declare module 'fastify' {
	interface FastifyRequest {
		visit: Visit;
		rawBody: string;
	}
}

/** The mode of a request that has been let in. */
export function modeOf(request: FastifyRequest): Mode {
	return request.visit.mode!;
}
