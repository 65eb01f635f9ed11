import { createHash } from 'crypto';
import type { Clock } from './clock';
import { serviceOf, allowanceOf, type CrmWorkspaceCredential } from '../credential/credential';
import { Pacer } from './pacer';

/** A pacer for as long as somebody needs it. */
interface HeldPacer {
	pacer: Pacer;
	/** To be called once, when no further request will be made. */
	release(): void;
}

/** A pacer and those who hold it. */
export interface SharedPacer {
	pacer: Pacer;
	/** How many hold it with each allowance, in requests per minute. */
	holders: Map<number, number>;
}

const shared = new Map<string, SharedPacer>();

/**
 * The pacer of a service and key, one for all executions of this process: the service counts per
 * key. Of the credentials that hold it, the one that allows the fewest requests decides. A pacer
 * that nobody holds is dropped when it has nothing left to remember. Interface: AUTH-6, LIMIT-2.
 */
export function holdPacer(
	credential: CrmWorkspaceCredential,
	clock: Clock,
	pacers = shared,
): HeldPacer {
	dropForgotten(pacers);
	const allowance = allowanceOf(credential);
	const name = nameOf(credential);
	const entry = pacers.get(name) ?? {
		pacer: new Pacer(clock, allowance),
		holders: new Map<number, number>(),
	};
	pacers.set(name, entry);
	const { pacer, holders } = entry;

	const addHolders = (change: number) => {
		const count = (holders.get(allowance) ?? 0) + change;
		if (count > 0) holders.set(allowance, count);
		else holders.delete(allowance);
		if (holders.size > 0) pacer.setAllowance(Math.min(...holders.keys()));
	};
	addHolders(1);
	return { pacer, release: () => addHolders(-1) };
}

/** The service and the key, without showing the key. */
function nameOf(credential: CrmWorkspaceCredential): string {
	return createHash('sha256')
		.update(JSON.stringify([serviceOf(credential), credential.apiKey.trim()]))
		.digest('hex');
}

/** How many pacers are looked at each time: more than one comes new, so each is reached. */
const looks = 2;

/** Looks at the pacers that were not looked at for longest. What it takes does not grow with them. */
function dropForgotten(pacers: Map<string, SharedPacer>): void {
	for (let look = 0; look < Math.min(looks, pacers.size); look++) {
		const [name, entry] = pacers.entries().next().value!;
		pacers.delete(name);
		if (entry.holders.size > 0 || !entry.pacer.isIdle) pacers.set(name, entry);
	}
}
