import { expect, test } from '@jest/globals';
import { readArticles } from '../../nodes/CrmWorkspace/operations/list/articles';
import type { Connection, ServiceRequest } from '../../nodes/CrmWorkspace/transport/connection';

test('a second response with fewer articles than the first costs none', async () => {
	const pages = [[{ id: '1' }, { id: '2' }], [{ id: '1' }]];
	const request = async ({ read }: ServiceRequest<unknown>) => {
		const body = { data: { articles: pages.shift(), totalCount: 3 } };
		return read({ statusCode: 200, headers: {}, body, durationMs: 0 }, 0);
	};
	const query = { limit: 50, search: 'how', searchParameter: 'q' } as never;
	const connection = { request } as unknown as Connection;
	const records = await readArticles({ connection, warnings: new Set() }, query);
	expect(records).toEqual([{ id: '1' }, { id: '2' }]);
	expect(pages).toEqual([]);
});
