import { leapOn, passUntilDone } from '../harness/clock.mts';
import { beginAnew } from '../harness/model.mts';
import { Violation } from '../harness/violation.mts';
import type { History, Step } from './history.mts';
import { checkAllTold, checkEvents, Keys } from './invariants.mts';
import type { Emission, Poll } from './knowledge.mts';
import { N8n } from './n8n.mts';
import { Workspace } from './service.mts';

const quiet: Step = { wait: 1_500, acts: [], end: 'well' } as unknown as Step;

/** More polls than it takes until all events came, one at a time. */
const mostPolls = 1_000;

/** Plays the life of a trigger. @throws Violation */
export async function play(history: History): Promise<void> {
	beginAnew(history.chance, history.chance % 1000);
	const life = new Life(history);
	for (const step of history.steps) await life.live(step);
	await life.settle(true);
	// A list that is sorted by date is read in full once an hour.
	for (let hours = 0; hours < 3; hours++) await life.live({ ...quiet, wait: 3_700_000 });
	await life.settle(false);
}

class Life {
	readonly #workspace: Workspace;
	readonly #n8n: N8n;
	readonly #keys = new Keys();
	#polls = 0;

	constructor(private readonly history: History) {
		this.#workspace = new Workspace(history);
		this.#n8n = new N8n(history, (asked) => this.#workspace.service.ask(asked));
	}

	/**
	 * Polls until nothing more comes for as long as a pass may take, and checks that all was emitted.
	 * @param isSoon whether that takes less than an hour
	 */
	async settle(isSoon: boolean): Promise<void> {
		const passLength = 3 + Math.ceil(this.#workspace.contacts.length / this.history.pageSize);
		let left = mostPolls;
		for (let still = 0; still < passLength; left--) {
			still = (await this.live(quiet)) === 0 ? still + 1 : 0;
			if (left === 0) throw new Violation('nothing too much', 'It emits events without end');
		}
		checkAllTold(this.#n8n.polls, isSoon);
	}

	/** @returns how many events the poll had */
	async live(step: Step): Promise<number> {
		leapOn(step.wait, this.history.chance % 1000);
		this.#workspace.act(step.acts);
		if (step.settings) this.#n8n.choose(step.settings);
		const poll = await this.#poll(step);
		if (poll) {
			checkEvents(this.#n8n.polls, poll);
			this.#keys.check(this.#n8n.polls, poll);
			this.#n8n.keep(poll, step.end === 'killed before');
		}
		if (step.end !== 'well') this.#n8n.activate();
		return poll?.emissions.length ?? 0;
	}

	/** @returns undefined if it failed */
	async #poll(step: Step): Promise<Poll | undefined> {
		const workspace = this.#workspace;
		const { state, settings } = this.#n8n;
		const from = workspace.now;
		workspace.begin(step);
		const number = ++this.#polls;
		try {
			const returned = await passUntilDone(this.#n8n.poll());
			const emissions = returned?.[0].map(({ json }) => json as unknown as Emission) ?? [];
			const { now: to, isFaulty, pages } = workspace;
			return { number, from, to, settings, emissions, isFaulty, pages, state, workspace };
		} catch (error) {
			const { message, stack } = error as Error;
			if (!workspace.isFaulty) throw new Violation('no error without a fault', `${stack}`);
			if (this.#n8n.state === state) return undefined;
			throw new Violation('a failed poll changes nothing', message);
		}
	}
}
