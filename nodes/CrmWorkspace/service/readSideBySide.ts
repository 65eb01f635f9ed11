import { endOf, pagesToFetch } from './pages';
import { refuseTooMany, type PageReader } from './pageReader';
import { readAhead } from './readAhead';

/**
 * Reads the pages after the first side by side, until it shows that they cannot reach the count
 * of the pass.
 * @returns whether the count is reached
 */
export async function readSideBySide(reader: PageReader): Promise<boolean> {
	const { pass, pageSize } = reader;
	const { fetchPage, limit, concurrency } = reader.options;
	const { totalCount: total = 0 } = reader.counted;
	refuseTooMany(Math.min(total, limit));

	const requests = Array.from({ length: pagesToFetch(total, limit, pageSize) - 1 }, (_, index) => ({
		page: index + 2,
		limit: pageSize,
	}));
	const planned = (requests.length + 1) * pageSize;
	for await (const { request, answer } of readAhead(requests, concurrency, fetchPage)) {
		await reader.refuseRepetition(request, answer);
		reader.take(answer);
		const left = Math.max(0, Math.min(answer.totalCount ?? planned, planned) - endOf(request));
		// What lies beyond the limit is not read, so no count can tell that something slipped there.
		const isSteady = planned >= total || answer.totalCount === total;
		if (!isSteady || pass.seen.size + left < Math.min(total, planned)) {
			reader.hasChanged = true;
			return false;
		}
	}
	return pass.isComplete(limit);
}
