import type { IPollFunctions } from 'n8n-workflow';
import type { Settings } from './history.mts';
import { nothing, type Knowledge } from './judge/knowledge.mts';
import { contextOf, NodeProcess, type Around } from './node.mts';
import type { Service, Visit } from './service.mts';

/** What became of a poll. */
export type Outcome =
	| { returned: unknown }
	| { thrown: Error }
	| { is: 'dead' }
	| { is: 'asking without end' };

/**
 * The part of n8n that keeps a trigger: which state a poll finds, and when it is stored. By default
 * the state lives on in memory and is stored after a poll with items, and after the first of an
 * activation; with durable cursors each poll has a copy of what is stored.
 */
export class N8n {
	readonly #service: Service;
	readonly #isDurable: boolean;
	readonly #fixed: Pick<Around, 'workflow' | 'requestsPerMinute'>;
	#process = new NodeProcess();
	#context!: IPollFunctions;
	#memory: object = {};
	#stored = '{}';
	/** What may be known in the two. */
	knowledge: Knowledge = nothing;
	#storedKnowledge: Knowledge = nothing;
	settings: Settings;
	#isActivation = true;
	#isManual = false;
	restarts = 0;

	constructor(
		service: Service,
		settings: Settings,
		{
			isDurable,
			...fixed
		}: { isDurable: boolean } & Pick<Around, 'workflow' | 'requestsPerMinute'>,
	) {
		this.#service = service;
		this.#isDurable = isDurable;
		this.#fixed = fixed;
		this.settings = settings;
		this.activate();
	}

	/** The workflow is made active, also again: from what is stored. */
	activate(): void {
		this.#memory = JSON.parse(this.#stored) as object;
		this.knowledge = this.#storedKnowledge;
		this.#isActivation = true;
		const process = this.#process;
		this.#context = contextOf({
			...this.#fixed,
			process,
			settings: () => this.settings,
			credential: () => this.#service.credential,
			// What is left of a process that is dead reaches nobody.
			state: () => (process.isDead ? {} : this.#memory),
			isManual: () => this.#isManual,
			isActivation: () => this.#isActivation,
			budget: () => this.#service.visit?.step.budget,
			ask: (url, query) => this.#service.answer(url, query),
		});
	}

	/** n8n is killed and started again. */
	restart(): void {
		this.restarts++;
		this.#process.isDead = true;
		this.#process = new NodeProcess();
		this.activate();
	}

	/** Polls, until it is done or n8n is dead. */
	async poll(visit: Visit): Promise<Outcome> {
		if (this.#isDurable) this.#memory = JSON.parse(this.#stored) as object;
		return await this.#ask(visit);
	}

	/** The editor's test. @returns whether the state is what it was, too */
	async test(visit: Visit): Promise<{ outcome: Outcome; isUntouched: boolean }> {
		const before = JSON.stringify(this.#memory);
		this.#isManual = true;
		const outcome = await this.#ask(visit);
		this.#isManual = false;
		return { outcome, isUntouched: JSON.stringify(this.#memory) === before };
	}

	/** What a poll returns that begins while another one is under way, or the error that it throws. */
	async second(): Promise<unknown> {
		return await this.#process.poll(this.#context).catch((error: unknown) => error);
	}

	async #ask(visit: Visit): Promise<Outcome> {
		const interrupted = new Promise<Outcome>((resolve) => {
			visit.onDeath = () => resolve({ is: 'dead' });
			visit.onTooMany = () => resolve({ is: 'asking without end' });
		});
		const polled = this.#process.poll(this.#context).then(
			(returned): Outcome => ({ returned }),
			(thrown: Error): Outcome => ({ thrown }),
		);
		return await Promise.race([polled, interrupted]);
	}

	/** Whether the next poll is the one that n8n makes on activation, for which someone waits. */
	get isActivation(): boolean {
		return this.#isActivation;
	}

	/** A poll has returned. @param knowledge what may be known now */
	keep(
		knowledge: Knowledge,
		{ isWritten, hasItems }: { isWritten: boolean; hasItems: boolean },
	): void {
		this.knowledge = knowledge;
		if (isWritten && (hasItems || this.#isActivation || this.#isDurable)) {
			this.#stored = JSON.stringify(this.#memory);
			this.#storedKnowledge = knowledge;
		}
		this.#isActivation = false;
	}
}
