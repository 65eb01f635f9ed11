import { leapOn, passUntilDone } from '../harness/clock.mts';
import { beginAnew } from '../harness/random.mts';
import type { History, Step } from './history.mts';
import { checkAllTold, checkEvents, Keys, Violation } from './invariants.mts';
import { learn, recall, type Emission, type Poll } from './knowledge.mts';
import { N8n } from './n8n.mts';
import { Service } from './service.mts';

const quiet: Step = { wait: 1_500, acts: [], hasNewCredential: false, during: [], end: 'well' };

/** Plays the life of a trigger. @throws Violation */
export async function play(history: History): Promise<void> {
	beginAnew(history.chance, history.chance % 1000);
	const life = new Life(history);
	for (const step of history.steps) await life.live(step);
	await life.settle({ isSoon: true });
	// A list that is sorted by date is read in full once an hour.
	for (let hours = 0; hours < 3; hours++) await life.live({ ...quiet, wait: 4_000_000 });
	await life.settle({ isSoon: false });
}

class Life {
	readonly #service: Service;
	readonly #n8n: N8n;
	readonly #keys: Keys;
	#calmSince = 0;
	#number = 0;
	#last!: Poll;

	constructor(private readonly history: History) {
		this.#service = new Service(history);
		this.#n8n = new N8n(history, (url, query) => this.#service.answer(url, query));
		this.#keys = new Keys(history.variants.hasIds);
	}

	/** Polls until nothing more comes for as long as a pass may take, and checks that all was told. */
	async settle({ isSoon }: { isSoon: boolean }): Promise<void> {
		const passLength = 3 + Math.ceil(this.#service.contacts.length / this.history.pageSize);
		for (let still = 0; still < passLength; ) {
			still = (await this.live(quiet)) === 0 ? still + 1 : 0;
		}
		const calmSince = this.#calmSince;
		checkAllTold(this.history, this.#n8n.knowledge, this.#last, { isSoon, calmSince });
	}

	/** @returns how many events the poll had */
	async live(step: Step): Promise<number> {
		leapOn(step.wait, this.history.chance % 1000);
		this.#service.act(step.acts);
		if (step.settings) this.#n8n.settings = step.settings;
		if (step.hasNewCredential) this.#n8n.credentialId++;
		// Saving a workflow activates it again.
		if (step.settings || step.hasNewCredential) this.#n8n.activate();
		const poll = await this.#poll(step);
		if (poll) this.#check(poll, step);
		if (step.end !== 'well') this.#n8n.activate();
		return poll?.emissions.length ?? 0;
	}

	/** @returns undefined if it failed */
	async #poll(step: Step): Promise<Poll | undefined> {
		const service = this.#service;
		const n8n = this.#n8n;
		const { state, settings, credentialId } = n8n;
		const from = service.now;
		service.begin(step);
		try {
			const emissions = toEmissions(await passUntilDone(n8n.poll()));
			const { isFaulty, pages } = service.visit;
			const seen = { from, to: service.now, isFaulty, pages };
			const number = ++this.#number;
			return { number, ...seen, settings, credentialId, emissions, state, service };
		} catch (error) {
			const { message, stack } = error as Error;
			if (!service.visit.isFaulty) throw new Violation('no error without a fault', `${stack}`);
			if (n8n.state !== state) throw new Violation('a failed poll changes nothing', message);
			return undefined;
		} finally {
			if (service.now > from) this.#calmSince = from;
		}
	}

	#check(poll: Poll, { end }: Step): void {
		const known = recall(this.#n8n.knowledge, poll);
		checkEvents(this.history, known, poll);
		this.#keys.check(known, poll);
		const hasEvents = poll.emissions.length > 0;
		this.#n8n.keep(learn(known, poll), { hasEvents, isStored: end !== 'killed before' });
		this.#last = poll;
	}
}

/** The items of a poll. @throws Violation for anything but items, or null for none */
function toEmissions(returned: unknown): Emission[] {
	if (returned === null) return [];
	const [items] = returned as [Array<{ json: Emission }>];
	if (items.length === 0) throw new Violation('nothing too much', 'An execution without an event');
	return items.map(({ json }) => json);
}
