import type { Act, History, Step } from './history.mts';

/** Tells a history as a short numbered story. */
export function storyOf(history: History): string {
	const chapters = [beginning(history), service(history), trigger(history)];
	return [...chapters, ...history.steps.map(told)]
		.map((text, index) => `${index + 1}. ${text}`)
		.join('\n');
}

function beginning({ contacts, activities, tasks, pageSize, apart }: History): string {
	return `${contacts} contacts, ${pageSize} on a page, created ${apart} ms apart; ${activities} activities, ${tasks} overdue tasks.`;
}

function service({ variants, latencies, requestsPerMinute }: History): string {
	const read = Object.entries(variants).map(([name, value]) => `${name}=${value}`);
	return `The service: ${read.join(', ')}; answers after ${latencies.join(', ')} ms; ${requestsPerMinute} requests a minute.`;
}

function trigger({ settings, isDurable, hasTwin, chance }: History): string {
	const stored = isDurable ? 'stored after each poll' : 'in memory, stored with items';
	const twin = hasTwin ? '; another workflow polls as well' : '';
	return `The trigger: ${JSON.stringify(settings)}; state ${stored}${twin}; chance ${chance}.`;
}

function told(step: Step): string {
	const { wait, acts, clock, settings, exchange, restart, isManual, budget } = step;
	const before = [
		clock ? `the service's clock is set by ${clock} ms` : '',
		...acts.map(done),
		restart ? 'n8n is killed and starts again' : '',
		exchange ? `the credential: ${exchange}` : '',
		settings ? `chosen: ${JSON.stringify(settings)}` : '',
		isManual ? 'Fetch Test Event' : '',
	].filter(Boolean);
	const time = budget === undefined ? 'no budget known' : `${budget} ms`;
	return `After ${wait} ms: ${before.join('; ') || 'nothing'}. Poll (${[time, ...within(step)].join('; ')}).`;
}

function within({ during, faults, overlap, end, killedAt }: Step): string[] {
	return [
		...during.map(
			({ acts, at, moment }) => `${moment} request ${at + 1} ${acts.map(done).join(', ')}`,
		),
		...faults.map(
			({ at, kind, times }) =>
				`request ${at + 1} ${kind}${times > 1 ? `, and ${times - 1} more` : ''}`,
		),
		...(overlap === undefined ? [] : [`a second poll at request ${overlap + 1}`]),
		...(end === 'well'
			? []
			: [end === 'killed within' ? `killed at request ${killedAt + 1}` : end]),
	];
}

function done({ kind, amount, where, isScattered }: Act): string {
	const which = 'pages' in amount ? `${amount.pages} pages` : `${amount.records}`;
	return `${kind} ${which} ${isScattered ? 'all over the list' : `at ${where} %`}`;
}
