import { randomFrom } from '../../../sandbox/random.mts';
import { Contacts, type Act } from '../harness/contacts.mts';
import { connectionReset, Service } from '../harness/service.mts';
import { Entries } from './entries.mts';
import type { Change, History, Step } from './history.mts';

/** A workspace that changes between polls and within. */
export class Workspace {
	readonly contacts: Contacts;
	readonly activities: Entries;
	readonly overdueTasks: Entries;
	readonly service: Service;
	#step!: Step;

	constructor(readonly history: History) {
		const { activities, overdueTasks, chance, contacts, variants, pageSize, latency } = history;
		this.contacts = new Contacts({ ...variants, pageSize }, randomFrom(chance));
		this.contacts.fill(contacts, 600_000, history.apart);
		this.activities = new Entries(activities);
		this.overdueTasks = new Entries(overdueTasks);
		this.service = new Service({
			contacts: this.contacts,
			recordsOf: (path) => (path === '/activities' ? this.activities.list : this.overdueTasks.list),
			latency: () => latency / 2,
			dateAhead: variants.dateAhead,
			arrives: (_asked, number) => {
				const { during, fault } = this.#step;
				if (during?.request === number) this.act(during.acts);
				const isFault = fault && number >= fault.request && number < fault.request + fault.times;
				return isFault ? { isDone: true, respond: connectionReset } : undefined;
			},
		});
	}

	/** How many changes there were. */
	get now(): number {
		return this.contacts.now;
	}

	act(changes: readonly Change[]): void {
		for (const { of, ...act } of changes) {
			if (of === 'contacts') this.contacts.act(act as Act);
			else this[of].act(act, ++this.contacts.now);
		}
	}

	/** A poll begins. */
	begin(step: Step): void {
		this.#step = step;
		this.service.begin();
	}

	/** Whether the last poll has met a fault. */
	get isFaulty(): boolean {
		return this.service.log.some(({ answer }) => !answer);
	}

	/** The pages of contacts that the last poll has received. */
	get pages(): Page[] {
		const answered = this.service.log.filter(({ path, answer }) => path === '/contacts' && answer);
		return answered.map(({ answer }) => JSON.parse(answer!.body).meta.pagination as Page);
	}
}

/** Which page of a list an answer was. */
export interface Page {
	page: number;
	limit: number;
	totalCount: number;
}
