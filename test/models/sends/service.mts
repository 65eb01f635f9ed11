import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { openSandbox } from '../../../sandbox/index.mts';
import { Addresses } from '../../../sandbox/addresses.mts';
import { Faults, type Fault, type FaultTarget } from '../../../sandbox/control/faults.mts';
import type { StoredMessage } from '../../../sandbox/data/messages.mts';
import { defaultVariants, type Variants } from '../../../sandbox/variants.mts';
import type { State } from '../../../sandbox/state.mts';
import { people, type Disturbance, type FaultKind, type Kill, type Try } from './history.mts';

/** A message at the service, with what its content tells about where it came from. */
export interface Kept extends StoredMessage {
	/** What the generator wrote into it. */
	content: string;
}

const faults: Record<FaultKind, Fault> = {
	dropBefore: { kind: 'dropBefore' },
	dropAfter: { kind: 'dropAfter' },
	'500before': { kind: 'status', status: 500 },
	'502before': { kind: 'status', status: 502 },
	'503before': { kind: 'status', status: 503 },
	'500after': { kind: 'status', status: 500, after: true },
	'502after': { kind: 'status', status: 502, after: true },
	'503after': { kind: 'status', status: 503, after: true },
	'429': { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
	'422': { kind: 'status', status: 422 },
	// Someone on the way, who knows nothing of idempotency keys.
	'409': { kind: 'status', status: 409, body: { message: 'Conflict' } },
	truncated: { kind: 'truncated' },
	malformed: { kind: 'malformed' },
	page: { kind: 'body', status: 200, body: '<html><body>Welcome</body></html>', after: true },
};

/** The test data and the live data are the two workspaces. */
const modes = ['test', 'live'] as const;

/** The service, one for all histories of the process, and what disturbs it. */
export class Service {
	readonly baseUrl: string;
	readonly #keys: { test: string; live: string };
	readonly #state: State;
	readonly stop: () => Promise<void>;
	readonly #requestRejected: string[] = [];
	#number = 0;

	static async start(): Promise<Service> {
		const options = { port: 0, contacts: 0, requestsPerMinute: 0 };
		return new Service(await openSandbox(options));
	}

	private constructor({ sandbox, state }: Awaited<ReturnType<typeof openSandbox>>) {
		this.baseUrl = sandbox.baseUrl;
		this.#keys = { test: sandbox.testKey, live: sandbox.liveKey };
		this.stop = sandbox.stop;
		this.#state = state;
	}

	/** For one of two workspaces, which know nothing of each other's messages. */
	credential(workspace: 1 | 2): ICredentialDataDecryptedObject {
		const mode = modes[workspace - 1];
		return {
			baseUrl: this.baseUrl,
			mode,
			apiKey: this.#keys[mode],
			authHeader: 'authorization',
			requestsPerMinute: 1_000_000,
			processes: 1,
		};
	}

	/** What each content of this history begins with: nothing of an earlier one disturbs it. */
	get mark(): string {
		return `[[${this.#number}:`;
	}

	/** Forgets every message and takes the variants of a new history. */
	begin(variants: Partial<Variants>): void {
		this.#number++;
		this.#requestRejected.length = 0;
		const state = this.#state;
		state.endWaits();
		state.database.exec('DELETE FROM messages; DELETE FROM inbox;');
		state.variants = { ...defaultVariants(), ...variants };
		state.addresses = new Addresses();
		state.faults = new Faults();
		state.requests.clear();
	}

	/** Lets the faults of a try wait for its requests. @param onKill is shown when n8n has to end */
	disturb({ faults, outcomes, kill }: Try, onKill: () => void): void {
		for (const { to, outcome } of outcomes) this.#state.addresses.set(people[to], outcome);
		this.#state.faults = new CountedFaults(this.mark, faults, kill, onKill, this.#requestRejected);
	}

	/** From now on everything works. */
	lift(): void {
		this.#state.faults = new Faults();
		for (const person of people) this.#state.addresses.set(person, 'deliver');
	}

	/** How many requests of the try met each kind of fault. */
	get met(): Map<string, number> {
		const { faults } = this.#state;
		return faults instanceof CountedFaults ? faults.met : new Map();
	}

	/** Every message that the service knows, whatever became of it. */
	messages(): Kept[] {
		return this.#own(modes.flatMap((mode) => this.#state.messages.all(mode)));
	}

	/** Every message that reached its recipient, as often as it did. */
	inbox(): Kept[] {
		return this.#own(modes.flatMap((mode) => this.#state.messages.inbox(mode)));
	}

	/** How many requests to send a message to the person were rejected. */
	requestRejected(person: string): number {
		return this.#requestRejected.filter((body) => body.includes(person)).length;
	}

	#own(messages: StoredMessage[]): Kept[] {
		const { mark } = this;
		return messages.flatMap((message) => {
			const begin = message.html.indexOf(mark) + mark.length;
			if (begin < mark.length) return [];
			return { ...message, content: message.html.slice(begin, message.html.indexOf(']]', begin)) };
		});
	}
}

/** Faults by the number of the request in the try. */
class CountedFaults extends Faults {
	readonly met = new Map<string, number>();
	readonly #mark: string;
	readonly #planned: Array<Disturbance & { left: number }>;
	readonly #kill: Kill | undefined;
	readonly #onKill: () => void;
	readonly #requestRejected: string[];
	#requests = 0;

	constructor(
		mark: string,
		planned: Disturbance[],
		kill: Kill | undefined,
		onKill: () => void,
		requestRejected: string[],
	) {
		super();
		this.#mark = mark;
		this.#planned = planned.map((disturbance) => ({ ...disturbance, left: disturbance.count }));
		this.#kill = kill;
		this.#onKill = onKill;
		this.#requestRejected = requestRejected;
	}

	override take({ rawBody }: FaultTarget): Fault | undefined {
		if (!rawBody.includes(this.#mark)) return faults.dropBefore;
		const number = this.#requests++;
		const kill = this.#kill;
		if (kill && number >= kill.request) {
			if (number === kill.request) this.#onKill();
			const reaches = number === kill.request && kill.worked;
			return reaches ? faults.dropAfter : faults.dropBefore;
		}
		const hit = this.#planned.find(
			({ from, left, to }) =>
				left > 0 && number >= from && (to === undefined || rawBody.includes(people[to])),
		);
		if (!hit) return undefined;
		hit.left--;
		if (hit.kind === '422') this.#requestRejected.push(rawBody);
		this.met.set(hit.kind, (this.met.get(hit.kind) ?? 0) + 1);
		return faults[hit.kind];
	}
}
