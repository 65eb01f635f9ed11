import type { History, Try } from './history.mts';
import { Judge, Violation } from './judge.mts';
import { Life } from './life.mts';
import type { Service } from './service.mts';
import { endTime } from './time.mts';

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

/**
 * Plays a history to its end.
 * @param life where what happens is kept, also when it ends with an error
 * @throws Violation
 */
export async function play(
	history: History,
	service: Service,
	watch: (life: Life) => void = () => {},
): Promise<void> {
	service.begin(history.readings);
	const life = new Life(history, service);
	watch(life);
	const judge = new Judge(history, life, service);
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
		life.count('messages delivered', service.inbox().length);
		life.count(
			life.isGreen
				? 'histories that ended green'
				: `histories that ended in an error: ${judge.lastingReason()}`,
		);
	} finally {
		endTime();
	}
}

async function inTime(life: Life, going: Promise<void>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => {
			life.stop();
			reject(new Violation('every try ends', `it was still running after ${longest / 1000} s`));
		}, longest);
	});
	try {
		await Promise.race([going, late]);
	} finally {
		clearTimeout(timer);
	}
}
