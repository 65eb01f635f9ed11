import { currentTime, leapOn, passUntilDone } from '../harness/clock.mts';
import type { Log } from '../harness/log.mts';
import { beginAnew } from '../harness/random.mts';
import type { History, Step } from './history.mts';
import { emissionsOf, Judge } from './judge.mts';
import { N8n, type Outcome } from './n8n.mts';
import { Violation, type Emission, type SeenPoll } from './judge/seen.mts';
import { Service, type Visit } from './service.mts';

/** As long as a poll may take while someone waits for a workflow to become active, in ms. */
const activationBudget = 10_000;

/** How many polls may be needed at the end where the user allows few events of each. */
const mostLast = 400;

let lives = 0;

/** Plays a history. @throws Violation */
export async function play(history: History, log: Log): Promise<void> {
	beginAnew(history.chance, history.chance % 1000);
	const { order, stamps, form } = history.variants;
	log.count(`order: ${order}`);
	log.count(`timestamps: ${stamps}`);
	log.count(`timestamps written: ${form}`);
	log.count(history.isDurable ? 'state stored after each poll' : 'state in memory');
	await new Life(history, log).live();
}

class Life {
	readonly #history: History;
	readonly #log: Log;
	readonly #service: Service;
	readonly #n8n: N8n;
	readonly #twin?: N8n;
	readonly #twinKeys = new Set<string>();
	readonly #judge: Judge;
	#polls = 0;

	constructor(history: History, log: Log) {
		this.#history = history;
		this.#log = log;
		const { settings, isDurable, requestsPerMinute, hasTwin } = history;
		this.#service = new Service(history, `life${++lives}`, log);
		const around = { isDurable, requestsPerMinute };
		this.#n8n = new N8n(this.#service, settings, { ...around, workflow: 'workflow1' });
		if (hasTwin)
			this.#twin = new N8n(this.#service, settings, { ...around, workflow: 'workflow2' });
		this.#judge = new Judge(history, (event) => log.count(event));
	}

	async live(): Promise<void> {
		for (const step of this.#history.steps) await this.#step(step);
		// In the end everything has come: two full hours, and as many polls as the limit takes.
		for (let index = 0; index < 3; index++) await this.#step(quiet(4_000_000));
		for (let index = 0; index < mostLast; index++) {
			if ((await this.#step(quiet(60_000))) === 0) break;
		}
		this.#log.count('restarts', this.#n8n.restarts);
	}

	/** @returns how many events came out */
	async #step(step: Step): Promise<number> {
		leapOn(step.wait, this.#history.chance % 1000);
		this.#service.visit = undefined;
		this.#service.ahead += step.clock ?? 0;
		if (step.clock) this.#log.tell(() => `the service's clock is set by ${step.clock} ms`);
		this.#service.act(step.acts);
		this.#choose(step);
		if (step.isManual) await this.#test(step);
		const emitted = await this.#poll(step);
		if (this.#twin) await this.#pollTwin(this.#twin);
		return emitted;
	}

	#choose({ settings, exchange, restart }: Step): void {
		if (restart) {
			this.#log.tell(() => 'n8n is killed and starts again');
			this.#n8n.restart();
		}
		if (exchange) {
			this.#log.tell(() => `the credential: ${exchange}`);
			this.#log.count(`credential: ${exchange}`);
			this.#service.exchange(exchange);
		}
		if (settings) {
			this.#log.tell(() => `the user chooses ${JSON.stringify(settings)}`);
			this.#log.count('choices changed');
			this.#n8n.settings = settings;
		}
		// Who saves a workflow activates it again.
		if (settings || exchange === 'another credential') this.#n8n.activate();
	}

	async #test(step: Step): Promise<void> {
		this.#log.tell(() => 'Fetch Test Event');
		const visit = this.#service.begin({ ...step, during: [], end: 'well', overlap: undefined });
		const { outcome, isUntouched } = await passUntilDone(this.#n8n.test(visit));
		if (!isUntouched) throw new Violation('a test touches nothing', 'the state is another one');
		// That there is nothing to show may be said as an error.
		if (!('returned' in outcome) || outcome.returned === null) return;
		const [items] = outcome.returned as [Array<{ json: { event: string } }>];
		this.#log.count('tests with events');
		const kinds = items.map(({ json }) => json.event);
		if (new Set(kinds).size < kinds.length)
			throw new Violation('a test tells one event of each kind', kinds.join(', '));
	}

	async #poll(step: Step): Promise<number> {
		this.#polls++;
		this.#log.count('polls');
		this.#log.tell(() => `poll ${this.#polls}`);
		const visit = this.#service.begin(step);
		let second: Promise<unknown> | undefined;
		visit.onOverlap = () => (second = this.#n8n.second());
		const outcome = await passUntilDone(this.#n8n.poll(visit));
		if (second) await this.#checkSecond(second);
		this.#log.count('requests', visit.requests);
		this.#checkError(outcome, visit);
		if ('is' in outcome || 'thrown' in outcome) {
			const isDead = 'is' in outcome;
			this.#log.tell(() => (isDead ? '  n8n dies' : `  error: ${outcome.thrown.message}`));
			this.#log.count(isDead ? 'polls in which n8n was killed' : 'polls that threw');
			if (isDead) this.#n8n.restart();
			return 0;
		}
		return this.#returned(outcome.returned, visit);
	}

	#returned(returned: unknown, visit: Visit): number {
		const { step } = visit;
		const emissions = emissionsOf(returned);
		for (const { event, key, record, changedFields = [] } of emissions) {
			this.#log.count(`events: ${event}`);
			this.#log.tell(
				() => `  out: ${event} ${String(record.id)} ${changedFields.join(',')} key ${key}`,
			);
			if (this.#twinKeys.has(key)) this.#twinBreaks(key);
		}
		if (emissions.length === 0) this.#log.tell(() => '  out: nothing');
		const knowledge = this.#judge.poll(this.#n8n.knowledge, this.#seen(visit, emissions));
		const isWritten = step.end !== 'killed before the write';
		this.#n8n.keep(knowledge, { isWritten, hasItems: emissions.length > 0 });
		if (step.end.startsWith('killed') && step.end !== 'killed within') {
			this.#log.tell(() => `  n8n is ${step.end}`);
			this.#log.count(`n8n ${step.end}`);
			this.#n8n.restart();
		}
		return emissions.length;
	}

	#seen(visit: Visit, emissions: Emission[]): SeenPoll {
		const { credential, workspace, ticks } = this.#service;
		return {
			number: this.#polls,
			from: visit.from,
			to: ticks.now,
			at: currentTime(),
			settings: this.#n8n.settings,
			credential,
			workspace,
			isAmple: this.#isAmple(visit),
			mostContacts: visit.mostContacts,
			emissions,
		};
	}

	/** Whether a poll had the time to read everything some times over. */
	#isAmple({ faults, mostContacts, step: { budget = 60_000 } }: Visit): boolean {
		const { pageSize, latencies, requestsPerMinute } = this.#history;
		const time = this.#n8n.isActivation ? Math.min(budget, activationBudget) : budget;
		const pages = Math.ceil(mostContacts / pageSize) + 3;
		const each = Math.max(...latencies) + 60_000 / requestsPerMinute;
		return faults === 0 && time >= activationBudget / 2 + 4 * pages * each;
	}

	#checkError(outcome: Outcome, { faults, requests }: Visit): void {
		if ('is' in outcome && outcome.is === 'asking without end') {
			throw new Violation('it ends', `there were ${requests} requests`);
		}
		if (!('thrown' in outcome) || faults > 0) return;
		const { message, stack } = outcome.thrown;
		// A poll without the time for a single request says so.
		const isHeldUp = message.startsWith("The service's rate limit leaves no room");
		if (isHeldUp && this.#history.requestsPerMinute === 60) return;
		const { description = '' } = outcome.thrown as { description?: string };
		throw new Violation('no error', `${message} ${description}\n${stack}`);
	}

	async #checkSecond(second: Promise<unknown>): Promise<void> {
		this.#log.count('polls while another one is under way');
		const returned = await passUntilDone(second);
		if (returned === null) return;
		throw new Violation('one poll at a time', `the second came to ${String(returned)}`);
	}

	async #pollTwin(twin: N8n): Promise<void> {
		const visit = this.#service.begin(quiet(0));
		twin.settings = this.#n8n.settings;
		const outcome = await passUntilDone(twin.poll(visit));
		this.#checkError(outcome, visit);
		if (!('returned' in outcome)) return;
		const emissions = emissionsOf(outcome.returned);
		for (const { key } of emissions) {
			this.#twinKeys.add(key);
			if (this.#judge.keys.has(key)) this.#twinBreaks(key);
		}
		this.#log.count('events of another workflow', emissions.length);
		twin.keep(twin.knowledge, { isWritten: true, hasItems: emissions.length > 0 });
	}

	#twinBreaks(key: string): never {
		throw new Violation('another event, another key', `${key} came in another workflow, too`);
	}
}

/** A poll with nothing before it and nothing in its way. */
function quiet(wait: number): Step {
	return {
		wait,
		acts: [],
		restart: false,
		isManual: false,
		budget: 300_000,
		during: [],
		faults: [],
		end: 'well',
		killedAt: 0,
	};
}
