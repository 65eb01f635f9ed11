import { forgetWaits, inRealTime } from '../harness/clock.mts';
import type { Log } from '../harness/log.mts';
import type { History, Try } from './history.mts';
import { Judge, Violation } from './judge.mts';
import { Life } from './life.mts';
import type { Service } from './service.mts';

/** How often an execution that can end green is given the chance to, when nothing disturbs it. */
const lastRetries = 6;

/** In ms of real time, of which a try takes a hundredth. */
const longest = 5_000;

const undisturbed: Try = {
	edits: [],
	retry: 'current',
	faults: [],
	outcomes: [],
	otherFails: undefined,
	agentFails: undefined,
	kill: undefined,
};

/** Plays a history to its end. @throws Violation */
export async function play(history: History, service: Service, log: Log): Promise<void> {
	service.begin(history.variants);
	const life = new Life(history, service, log);
	const judge = new Judge(history, life, service, log);
	try {
		for (const next of history.tries) {
			if (life.isGreen) break;
			await inTime(life, life.go(next));
			judge.check();
		}
		service.lift();
		for (let retry = 0; retry < lastRetries && !life.isGreen; retry++) {
			await inTime(life, life.go(undisturbed));
			judge.check();
		}
		if (log.events.has('items led back')) log.count('histories with items led back');
		log.count('messages delivered', service.inbox().length);
		log.count(
			life.isGreen
				? 'histories that ended green'
				: `histories that ended in an error: ${judge.lastingReason()}`,
		);
	} finally {
		forgetWaits();
	}
}

async function inTime(life: Life, going: Promise<void>): Promise<void> {
	await inRealTime(going, longest, () => {
		life.stop();
		return new Violation('every try ends', `it was still running after ${longest / 1000} s`);
	});
}
