import { randomFrom, type Random } from '../random.mts';
import { ServiceError } from '../service/errors.mts';

/** The ways in which a request can be disturbed. */
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
	/** The status to answer with: 'status' (default 500), 'redirect' (302), 'body' (200). */
	status?: number;
	headers?: Record<string, string>;
	/** The body to answer with; without it a 'status' has an error in the shape of the variants. */
	body?: unknown;
	/** How long a 'delay' takes, in milliseconds of real time. */
	delayMs?: number;
	/** Where a 'redirect' points. */
	location?: string;
	/** Whether the work is done before the fault shows ('status', 'body', 'redirect', 'delay'). */
	after?: boolean;
	/** Only requests with this method. */
	method?: string;
	/** Only requests whose path below /api/v1 begins so. */
	path?: string;
	/** Only requests whose raw body contains this text. */
	match?: string;
	/** How many requests it hits; 1 unless there is a probability. */
	next?: number;
	/** The chance that it hits a request, drawn again for each. */
	probability?: number;
	/** Where the draws begin. */
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

/** The faults that wait for requests, in the order in which they were added. */
export class Faults {
	#active: ActiveFault[] = [];

	/** @throws ServiceError with status 400 for a fault that could not do what it says */
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

	/** Takes the first fault that hits this request, if one does. */
	take(target: FaultTarget): Fault | undefined {
		const hit = this.#active.find(
			({ fault, left, random }) =>
				left > 0 && concerns(fault, target) && random() < (fault.probability ?? 1),
		);
		if (!hit) return undefined;
		hit.left -= 1;
		return hit.fault;
	}

	/** Every fault that can still hit, and how often (null: without end). */
	all(): Array<Fault & { left: number | null }> {
		return this.#active
			.filter(({ left }) => left > 0)
			.map(({ fault, left }) => ({ ...fault, left: left === Infinity ? null : left }));
	}

	clear(): void {
		this.#active = [];
	}
}

/** Says what a fault lacks; undefined for nothing. */
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
