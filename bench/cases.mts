import { eventLoop } from './alone/eventLoop.mts';
import { loading } from './alone/loading.mts';
import { trigger } from './alone/trigger.mts';
import type { Case } from './case.mts';
import { processes } from './simulated/processes.mts';
import { sends } from './simulated/sends.mts';
import { sync } from './simulated/sync.mts';
import { urgent } from './simulated/urgent.mts';
import { atOnce } from './started/atOnce.mts';
import { beside } from './started/beside.mts';
import { computing } from './started/computing.mts';
import { list } from './started/list.mts';
import { realTime } from './started/realTime.mts';

/** All cases, by their names on the command line and in the order of benchmarks.json. */
export const cases: Record<string, Case> = {
	list,
	sync,
	atOnce,
	sends,
	urgent,
	processes,
	realTime,
	beside,
	computing,
	eventLoop,
	trigger,
	loading,
};
