import { createHash } from 'crypto';
import type { Clock } from './clock';
import { normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';
import { Pacer } from './pacer';

const pacers = new Map<string, Pacer>();

/**
 * The pacer of a service and key, one for all executions of this process: the service counts per
 * key (interface, Authentication 3). Pacers that have nothing left to remember are dropped.
 */
export function pacerFor(credential: CrmWorkspaceCredential, clock: Clock): Pacer {
	for (const [name, pacer] of pacers) if (pacer.isIdle) pacers.delete(name);

	const name = createHash('sha256')
		.update(JSON.stringify([normalizedBaseUrl(credential), credential.apiKey.trim()]))
		.digest('hex');
	const pacer = pacers.get(name) ?? new Pacer(clock, credential.requestsPerMinute);
	pacer.setAllowance(credential.requestsPerMinute);
	pacers.set(name, pacer);
	return pacer;
}
