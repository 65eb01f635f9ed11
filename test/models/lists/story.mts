import { countOf, firstTurn, limitOf, type Act, type Change, type History } from './history.mts';

/** Tells a history as a short numbered story. */
export function storyOf(history: History): string {
	const chapters = [
		collection(history),
		service(history),
		reader(history),
		...history.changes.map((change) => changed(history, change)),
		...history.faults.map(({ at, kind }) => `Request ${at + 1} is ${kind}.`),
	];
	return chapters.map((text, index) => `${index + 1}. ${text}`).join('\n');
}

function collection(history: History): string {
	const { order, pageSize, quiet, apart } = history;
	return `${countOf(history)} contacts by ${order}, ${pageSize} on a page; created ${apart} ms apart, the last of them ${quiet} ms ago.`;
}

function service({ variants, latencies }: History): string {
	const read = Object.entries(variants).map(([name, value]) => `${name}=${value}`);
	return `The service: ${read.join(', ')}; answers after ${latencies.join(', ')} ms.`;
}

function reader(history: History): string {
	const { concurrency, requestsPerMinute } = history;
	const limit = limitOf(history);
	const wanted = limit === Infinity ? 'All' : `Up to ${limit}`;
	return `${wanted} of them; concurrency ${concurrency}, ${requestsPerMinute} requests a minute.`;
}

function changed(history: History, change: Change): string {
	const { acts, moment, every, times } = change;
	const again = times > 1 ? `, and again every ${every}, ${times} times in all` : '';
	return `${moment} ${firstTurn(history, change) + 1}${again}: ${acts.map(done).join('; ')}.`;
}

function done({ kind, amount, where, isScattered }: Act): string {
	const which = 'pages' in amount ? `${amount.pages} pages` : `${amount.contacts}`;
	return `${kind} ${which} ${isScattered ? 'all over the list' : `at ${where} % of it`}`;
}
