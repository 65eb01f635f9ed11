import { setTimeout } from 'node:timers/promises';

import { Addresses } from './addresses.mts';
import { Clock } from './clock.mts';
import { Changes } from './control/changes.mts';
import { Faults } from './control/faults.mts';
import { RequestLog } from './control/requestLog.mts';
import { Contacts } from './data/contacts.mts';
import { Messages } from './data/messages.mts';
import { Records } from './data/records.mts';
import { seededData } from './data/seed.mts';
import { apiKeyFor, forEachMode, modes, newIdsFrom, type Mode } from './identity.mts';
import { defaultVariants, type Variants } from './variants.mts';
import { RateLimits } from './service/rateLimit.mts';

/** The initial state of a sandbox, which a reset restores. */
export interface Beginning {
	/** Data, IDs and keys derive from it. */
	seed: number;
	/** Another one gives other IDs to what is created: for clients that remember an earlier one. */
	start: number;
	/** Contacts per workspace. */
	contacts: number;
	variants: Partial<Variants>;
	/** 0 for no limit; 60 by default. Interface: LIMIT-1. */
	requestsPerMinute: number;
	/** Milliseconds of real time that are added to each request. */
	latency: number;
}

/** The state of a running sandbox. */
export class State {
	readonly beginning: Beginning;

	seed!: number;
	newId!: (mode: Mode) => string;
	contactCount!: number;
	keys!: Record<Mode, string>;
	contacts!: Contacts;
	records!: Records;
	messages!: Messages;
	variants!: Variants;
	latency!: number;
	rate!: RateLimits;
	clock!: Clock;
	addresses!: Addresses;
	faults!: Faults;
	changes!: Changes;
	requests!: RequestLog;
	#waiting = new AbortController();

	constructor(beginning: Beginning) {
		this.beginning = beginning;
		this.#begin(beginning);
	}

	/** Restores the initial state, except for the given values. */
	reset(given: Partial<Beginning> = {}): void {
		const variants = { ...this.beginning.variants, ...given.variants };
		this.#begin({ ...this.beginning, ...given, variants });
	}

	/** Generates the data again and keeps everything else, including the keys. */
	reseed(given: { seed?: number; contacts?: number } = {}): void {
		this.#fill({ ...this.beginning, seed: this.seed, contacts: this.contactCount, ...given });
	}

	/** Changes some variants. A new limiter starts to count at 0. */
	changeVariants(given: Partial<Variants>): void {
		const { limiter } = this.variants;
		this.variants = { ...this.variants, ...given };
		if (this.variants.limiter !== limiter) this.limitTo(this.rate.requestsPerMinute);
	}

	/** Counts requests from 0. @param requestsPerMinute 0 for no limit */
	limitTo(requestsPerMinute: number): void {
		this.rate = new RateLimits(requestsPerMinute, this.variants.limiter);
	}

	/** Waits in real time; rejects with an AbortError if the sandbox is reset or stopped. */
	async pause(milliseconds: number): Promise<void> {
		await setTimeout(milliseconds, undefined, { signal: this.#waiting.signal });
	}

	/** Ends all waits, so that no earlier request is performed afterwards. */
	endWaits(): void {
		this.#waiting.abort();
		this.#waiting = new AbortController();
	}

	#begin(beginning: Beginning): void {
		const { seed, variants, requestsPerMinute, latency } = beginning;
		this.endWaits();
		this.keys = forEachMode((mode) => apiKeyFor(seed, mode));
		this.variants = { ...defaultVariants(), ...variants };
		this.latency = latency;
		this.limitTo(requestsPerMinute);
		this.clock = new Clock(() => this.variants.clockOffset * 1000);
		this.addresses = new Addresses();
		this.faults = new Faults();
		this.changes = new Changes();
		this.requests = new RequestLog();
		this.#fill(beginning);
	}

	#fill({ seed, start, contacts }: Beginning): void {
		this.seed = seed;
		this.contactCount = contacts;
		this.newId = newIdsFrom(seed, start);
		this.contacts = new Contacts(seed, this.newId);
		this.records = new Records(this.newId);
		this.messages = new Messages();
		const data = seededData({ seed, contacts });
		for (const mode of modes) {
			this.contacts.insert(mode, data[mode].contacts, this.clock.timestamp());
			for (const [kind, records] of data[mode].records)
				this.records.replaceAll(mode, kind, records);
		}
	}
}
