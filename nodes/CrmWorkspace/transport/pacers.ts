import { createHash } from 'crypto';
import type { Clock } from './clock';
import { normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';
import { Pacer } from './pacer';

/** A pacer for as long as somebody needs it. */
export interface HeldPacer {
	pacer: Pacer;
	/** To be called once, when no further request will be made. */
	release(): void;
}

const shared = new Map<string, { pacer: Pacer; holders: number }>();

/**
 * The pacer of a service and key, one for all executions of this process: the service counts per
 * key (interface, Authentication 3). A pacer that nobody holds is dropped when it has nothing left
 * to remember.
 */
export function holdPacer(credential: CrmWorkspaceCredential, clock: Clock): HeldPacer {
	for (const [name, { pacer, holders }] of shared) {
		if (holders === 0 && pacer.isIdle) shared.delete(name);
	}
	const name = createHash('sha256')
		.update(JSON.stringify([normalizedBaseUrl(credential), credential.apiKey.trim()]))
		.digest('hex');
	const { requestsPerMinute } = credential;
	const held = shared.get(name) ?? { pacer: new Pacer(clock, requestsPerMinute), holders: 0 };
	shared.set(name, held);
	held.holders++;
	held.pacer.setAllowance(requestsPerMinute);
	return { pacer: held.pacer, release: () => void held.holders-- };
}
