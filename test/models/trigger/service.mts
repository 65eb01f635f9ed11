import { currentTime, pass } from '../harness/clock.mts';
import { quickRandom } from '../harness/random.mts';
import { answerOf, answerWith, ConnectionReset, pageOf, type Answer } from '../harness/service.mts';
import { Contacts } from './contacts.mts';
import { Entries } from './entries.mts';
import type { Act, History, Step } from './history.mts';

/** More than a poll of these lists ever needs. */
const mostRequests = 500;

/** A page of contacts that a poll has received. */
export interface SeenPage {
	page: number;
	isLast: boolean;
	/** The moment as of which it was. */
	at: number;
}

/** What the service saw of a poll. */
export interface Visit {
	step: Pick<Step, 'during' | 'fault'>;
	requests: number;
	isFaulty: boolean;
	pages: SeenPage[];
}

/** The service, with a workspace that changes between polls and within. */
export class Service {
	readonly contacts: Contacts;
	readonly activities: Entries;
	readonly overdueTasks: Entries;
	/** How many changes there were. */
	now = 0;
	visit!: Visit;

	constructor(private readonly history: History) {
		const { variants, activities, tasks, chance } = history;
		this.contacts = new Contacts(history, quickRandom(chance), currentTime);
		this.activities = new Entries(variants.hasIds, activities);
		this.overdueTasks = new Entries(variants.hasIds, tasks);
	}

	/** Whether each page shows how many contacts there are. */
	get countsAll(): boolean {
		return this.history.variants.totals === 'both';
	}

	/** Whether contacts show when they were created. */
	get datesTell(): boolean {
		const { stamps, form } = this.history.variants;
		return form !== 'all equal' && (stamps === 'both' || stamps === 'createdAt');
	}

	act(acts: readonly Act[]): void {
		for (const act of acts) this[act.of].act(act, ++this.now);
	}

	/** A poll begins. */
	begin(step: Visit['step']): void {
		this.visit = { step, requests: 0, isFaulty: false, pages: [] };
	}

	async answer(url: string, query: Record<string, unknown> = {}): Promise<Answer> {
		const { visit } = this;
		const number = visit.requests++;
		if (number > mostRequests) throw new Error('The poll sends requests without end');
		this.#disturb('before', number);
		const { answer, seen } = this.#lookUp(new URL(url).pathname, query);
		this.#disturb('after', number);
		await pass(this.history.latency);
		const { at, times, kind } = visit.step.fault ?? { at: 0, times: 0 };
		if (number >= at && number < at + times) {
			visit.isFaulty = true;
			if (kind === 'answer lost') throw new ConnectionReset();
			return answerOf(500, '{"message":"Out of order"}', this.#date);
		}
		if (seen) visit.pages.push(seen);
		return answer;
	}

	#disturb(moment: 'before' | 'after', number: number): void {
		for (const during of this.visit.step.during) {
			if (during.at === number && during.moment === moment) this.act(during.acts);
		}
	}

	#lookUp(path: string, query: Record<string, unknown>): { answer: Answer; seen?: SeenPage } {
		if (path.endsWith('/contacts')) {
			const all = this.contacts.find(String(query.search ?? ''));
			const page = pageOf(all, query, this.history.pageSize);
			const isLast = page.page * page.limit >= page.total;
			const answer = answerWith(page, this.history.variants, this.#date);
			return { answer, seen: { page: page.page, isLast, at: this.now } };
		}
		const { list } = path.endsWith('/activities') ? this.activities : this.overdueTasks;
		return { answer: answerOf(200, `{"data":[${list.join(',')}]}`, this.#date) };
	}

	/** The time of the `Date` header. */
	get #date(): number {
		return currentTime() + this.history.variants.dateAhead;
	}
}
