import { randomFrom, type Random } from '../random.mts';
import { ServiceError } from '../service/errors.mts';

/** The kinds of faults. */
export const faultKinds = [
	'status',
	'delay',
	'dropBefore',
	'dropAfter',
	'malformed',
	'truncated',
	'redirect',
	'body',
] as const;

/** A disturbance of some requests. */
export interface Fault {
	kind: (typeof faultKinds)[number];
	/** Of the response: 'status' (default 500), 'redirect' (302), 'body' (200). */
	status?: number;
	headers?: Record<string, string>;
	/** Of the response. Without it, 'status' returns an error in the shape of the variants. */
	body?: unknown;
	/** Of a 'delay', in real time. */
	delayMs?: number;
	/** The target of a 'redirect'. */
	location?: string;
	/** Whether the request is performed first ('status', 'body', 'redirect', 'delay'). */
	after?: boolean;
	/** Only requests with this method. */
	method?: string;
	/** Only requests whose path below /api/v1 begins with this. */
	path?: string;
	/** Only requests whose raw body contains this text. */
	match?: string;
	/** How many requests it affects; 1 by default, unlimited with a probability. */
	next?: number;
	/** The chance that it affects a request, drawn for each. */
	probability?: number;
	/** Of the draws. */
	seed?: number;
}

/** What a fault is matched against. */
export interface FaultTarget {
	method: string;
	path: string;
	rawBody: string;
}

interface ActiveFault {
	fault: Fault;
	left: number;
	random: Random;
}

/** The pending faults, in the order in which they were added. */
export class Faults {
	#active: ActiveFault[] = [];

	/** @throws ServiceError with status 400 if the fault lacks something */
	add(fault: Fault): void {
		const problem = problemOf(fault);
		if (problem) throw new ServiceError(400, 'INVALID_FAULT', problem);
		const byDefault = fault.probability === undefined ? 1 : Infinity;
		this.#active.push({
			fault,
			left: fault.next ?? byDefault,
			random: randomFrom(fault.seed ?? 1),
		});
	}

	/** Uses up the first fault that affects this request, if any. */
	take(target: FaultTarget): Fault | undefined {
		const hit = this.#active.find(
			({ fault, left, random }) =>
				left > 0 && concerns(fault, target) && random() < (fault.probability ?? 1),
		);
		if (!hit) return undefined;
		hit.left -= 1;
		return hit.fault;
	}

	/** The pending faults, and how many requests each still affects (null: unlimited). */
	all(): Array<Fault & { left: number | null }> {
		return this.#active
			.filter(({ left }) => left > 0)
			.map(({ fault, left }) => ({ ...fault, left: left === Infinity ? null : left }));
	}

	clear(): void {
		this.#active = [];
	}
}

/** The problem of a fault; undefined if there is none. */
function problemOf({ kind, location, delayMs, path }: Fault): string | undefined {
	if (kind === 'redirect' && !location) return "A redirect needs a 'location' to point to";
	if (kind === 'delay' && delayMs === undefined) return "A delay needs 'delayMs'";
	if (path && !path.startsWith('/')) return `A path begins with a slash, unlike '${path}'`;
	return undefined;
}

function concerns({ method, path, match }: Fault, target: FaultTarget): boolean {
	return (
		(method === undefined || method.toUpperCase() === target.method) &&
		(path === undefined || target.path.startsWith(path)) &&
		(match === undefined || target.rawBody.includes(match))
	);
}
