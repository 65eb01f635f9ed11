import { currentTime, pass } from '../harness/clock.mts';
import { randomFrom } from '../../../sandbox/random.mts';
import {
	answerOf,
	answerWith,
	ConnectionReset,
	pageOf,
	type Answer,
	type Page,
} from '../harness/service.mts';
import { Contacts } from './contacts.mts';
import { Entries } from './entries.mts';
import type { Act, History, Step } from './history.mts';

/** More than a poll of these lists ever needs. */
const mostRequests = 500;

/** The service, with a workspace that changes between polls and within. */
export class Service {
	readonly contacts: Contacts;
	readonly activities: Entries;
	readonly overdueTasks: Entries;
	/** How many changes there were. */
	now = 0;
	/** Whether the last poll has met a fault. */
	isFaulty = false;
	/** The pages of contacts that it has received. */
	pages: Array<Page<string>> = [];
	#requests = 0;
	#step!: Step;

	constructor(readonly history: History) {
		const { activities, overdueTasks, chance } = history;
		this.contacts = new Contacts(history, randomFrom(chance), currentTime);
		this.activities = new Entries(activities);
		this.overdueTasks = new Entries(overdueTasks);
	}

	act(acts: readonly Act[]): void {
		for (const act of acts) this[act.of].act(act, ++this.now);
	}

	/** A poll begins. */
	begin(step: Step): void {
		this.#step = step;
		this.#requests = 0;
		this.isFaulty = false;
		this.pages = [];
	}

	async answer(url: string, query: Record<string, unknown> = {}): Promise<Answer> {
		const { during, fault } = this.#step;
		const number = this.#requests++;
		if (number > mostRequests) throw new Error('The poll sends requests without end');
		if (during?.request === number) this.act(during.acts);
		const { answer, page } = this.#lookUp(url, query);
		await pass(this.history.latency);
		if (fault && number >= fault.request && number < fault.request + fault.times) {
			this.isFaulty = true;
			throw new ConnectionReset();
		}
		if (page) this.pages.push(page);
		return answer;
	}

	#lookUp(url: string, query: Record<string, unknown>): { answer: Answer; page?: Page<string> } {
		const { variants, pageSize } = this.history;
		const date = currentTime() + variants.dateAhead;
		if (url.endsWith('/contacts')) {
			const page = pageOf(this.contacts.shown, query, pageSize);
			return { answer: answerWith(page, date), page };
		}
		const { list } = url.endsWith('/activities') ? this.activities : this.overdueTasks;
		return { answer: answerOf(200, `{"data":[${list.join(',')}]}`, date) };
	}
}
