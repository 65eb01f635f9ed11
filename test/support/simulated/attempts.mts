import type { FailedAttempt, FailureDetails } from '../../../nodes/CrmWorkspace/client/failure';

/** An attempt that the service answered with another status than 2xx, and what else is known. */
export const answered = <More extends Partial<FailureDetails>>(
	statusCode: number,
	more?: More,
) => ({
	kind: 'status' as const,
	statusCode,
	...more,
});

/** An attempt that may have arrived, of which no answer tells. */
export const lost: FailedAttempt = { kind: 'noResponse', networkCode: 'ECONNRESET' };

/** An attempt that has not left this machine. */
export const unsent: FailedAttempt = { kind: 'unreachable', networkCode: 'ECONNREFUSED' };
