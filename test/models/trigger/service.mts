import { currentTime, pass } from '../harness/clock.mts';
import type { Log } from '../harness/log.mts';
import {
	answerOf,
	answerWith,
	ConnectionReset,
	mostRequests,
	pageOf,
	type Answer,
} from '../harness/service.mts';
import { type Act, type Exchange, type History, type Step } from './history.mts';
import { Ticks, Workspace } from './service/workspace.mts';

const never = new Promise<never>(() => {});

/** What the user's credential holds. */
export interface Credential {
	id: string;
	baseUrl: string;
	mode: 'test' | 'live';
	apiKey: string;
}

/** What the service saw of a poll. */
export class Visit {
	readonly step: Step;
	/** The moments of its first request and of its end. */
	readonly from: number;
	requests = 0;
	faults = 0;
	/** The most contacts that there were at a time, anyone who searched. */
	mostContacts = 0;
	/** Called when n8n dies within. */
	onDeath: () => void = () => {};
	/** Called when it asks more than any poll may. */
	onTooMany: () => void = () => {};
	/** Called at the request at which another poll begins. */
	onOverlap: () => void = () => {};

	constructor(step: Step, from: number) {
		this.step = step;
		this.from = from;
	}
}

/** The service as the interface has it, with workspaces that change between polls and within. */
export class Service {
	readonly #history: History;
	readonly #log: Log;
	readonly ticks = new Ticks();
	/** By how much its clock is ahead of ours, in ms. */
	ahead = 0;
	/** Those of the credentials so far. */
	readonly #workspaces: Workspace[] = [];
	workspace: Workspace;
	credential: Credential;
	visit?: Visit;

	constructor(history: History, name: string, log: Log) {
		this.#history = history;
		this.#log = log;
		this.workspace = this.#another();
		this.credential = {
			id: 'credential1',
			baseUrl: 'https://crm.example.com/api/v1',
			mode: 'test',
			apiKey: `sk_test_${name}`,
		};
	}

	/** By its clock, in ms since 1970. */
	get time(): number {
		return currentTime() + this.ahead;
	}

	/** The user puts something else into the credential, or chooses another one. */
	exchange(drawn: Exchange): void {
		const old = this.credential;
		// Where workspaces have the same numbers no one can tell their records apart.
		const isTold = drawn !== 'key of another workspace' || this.#history.variants.ids !== 'number';
		const exchange = isTold ? drawn : 'another credential';
		const [, , name] = old.apiKey.split('_');
		const next = { ...old };
		if (exchange === 'another credential') next.id = `${old.id}+`;
		if (exchange === 'another address') next.baseUrl = old.baseUrl.replace('crm', 'crm2');
		if (exchange === 'another mode') next.mode = old.mode === 'test' ? 'live' : 'test';
		next.apiKey = `sk_${next.mode}_${name}x`;
		if (exchange !== 'new key') {
			this.workspace =
				this.#workspaces.find((workspace) => workspace !== this.workspace) ?? this.#another();
		}
		this.credential = next;
	}

	#another(): Workspace {
		const name = this.#workspaces.length === 0 ? 'A' : 'B';
		const workspace = new Workspace(name, this.#history, this.ticks, () => this.time);
		this.#workspaces.push(workspace);
		return workspace;
	}

	act(acts: readonly Act[]): void {
		for (const act of acts) {
			const done = this.workspace.act(act);
			if (!done) continue;
			this.#log.count(`done: ${act.kind}`);
			this.#log.tell(() => done);
			this.#measure();
		}
	}

	/** A poll begins, or something that asks like one. */
	begin(step: Step): Visit {
		this.visit = new Visit(step, this.ticks.now);
		this.#measure();
		return this.visit;
	}

	#measure(): void {
		const { visit } = this;
		if (!visit) return;
		visit.mostContacts = Math.max(visit.mostContacts, this.workspace.contacts.list.length);
	}

	/** Answers a request. */
	async answer(url: string, query: Record<string, unknown> = {}): Promise<Answer> {
		const { visit } = this;
		const { baseUrl } = this.credential;
		if (!visit) throw new Error('The node asks outside of a poll');
		if (!url.startsWith(`${baseUrl}/`)) throw new Error(`The node asked for ${url}`);
		const path = url.slice(baseUrl.length);
		const number = visit.requests++;
		if (number >= mostRequests(visit.mostContacts, this.#history.pageSize)) {
			visit.onTooMany();
			return await never;
		}
		this.#log.tell(() => `  request ${number + 1}: ${path} ${Object.values(query).join(' ')}`);
		this.#disturb('before', number);
		if (number === visit.step.overlap) visit.onOverlap();
		const answer = this.#lookUp(path, query);
		this.#disturb('after', number);
		const { latencies } = this.#history;
		await pass(latencies[number % latencies.length]);
		if (visit.step.end === 'killed within' && number >= visit.step.killedAt) {
			visit.onDeath();
			return await never;
		}
		return this.#faulty(number) ?? answer;
	}

	#faulty(number: number): Answer | undefined {
		const fault = this.visit!.step.faults.find(
			({ at, times }) => number >= at && number < at + times,
		);
		if (!fault) return undefined;
		this.visit!.faults++;
		this.#log.count(`faults: ${fault.kind}`);
		this.#log.tell(() => `    ${fault.kind}`);
		if (fault.kind !== 'answered 500') throw new ConnectionReset();
		return answerOf(500, '{"message":"Out of order"}', this.#date);
	}

	#disturb(moment: 'before' | 'after', number: number): void {
		for (const during of this.visit!.step.during) {
			if (during.at === number && during.moment === moment) this.act(during.acts);
		}
	}

	#lookUp(path: string, query: Record<string, unknown>): Answer {
		if (path === '/contacts') return this.#page(query);
		const { activities, tasks } = this.workspace;
		const entries = { '/activities': activities, '/tasks/overdue': tasks }[path];
		if (!entries) throw new Error(`The node asked for ${path}`);
		const records = entries.list.map(({ json }) => json);
		return answerOf(200, `{"data":[${records.join(',')}]}`, this.#date);
	}

	#page(query: Record<string, unknown>): Answer {
		const { pageSize, variants } = this.#history;
		const all = this.workspace.contacts.found(String(query.search ?? ''));
		const page = pageOf(all, query, pageSize);
		const records = page.records.map(({ version }) => version.json);
		return answerWith({ ...page, records }, variants, this.#date);
	}

	/** What the `Date` header tells. */
	get #date(): number {
		return this.time + this.#history.variants.dateAhead;
	}
}
