import { expect, test } from '@jest/globals';
import { CrmWorkspaceApi } from '../../credentials/CrmWorkspaceApi.credentials';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { CrmWorkspaceTrigger } from '../../nodes/CrmWorkspace/CrmWorkspaceTrigger.node';

function objectsIn(value: unknown): Array<Record<string, unknown>> {
	if (typeof value !== 'object' || value === null) return [];
	return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

test("tooltips and notices have 30 words at most, which n8n's linter doesn't check", () => {
	const types = [new CrmWorkspace(), new CrmWorkspaceTrigger(), new CrmWorkspaceApi()];
	const texts = objectsIn(types)
		.flatMap((one) => [one.description, one.hint, one.type === 'notice' && one.displayName])
		.filter((text) => typeof text === 'string');
	expect(texts.length).toBeGreaterThan(50);
	expect(texts.filter((text) => text.split(/\s+/).length > 30)).toEqual([]);
});
