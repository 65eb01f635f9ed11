import { expect, test } from '@jest/globals';
import { asRead, unread } from '../../nodes/CrmWorkspace/operations/updateContact/knownContact';
import { OmittedFields } from '../../nodes/CrmWorkspace/operations/updateContact/omittedFields';

const ada = asRead({ id: '1', jobTitle: 'Analyst', notes: 'x', tags: ['a', 'b'], phone: null });
const written = { jobTitle: 'Countess' };

/** What answers to updates of Ada's job title have shown. */
function areKept(...answers: object[]): boolean {
	const omitted = new OmittedFields();
	for (const answer of answers) omitted.learn(ada, written, { id: '1', ...answer });
	return omitted.areKept;
}

// Interface: OPEN-9.
test.each<[string, boolean, object[]]>([
	['a value that came back', true, [{ notes: 'x' }]],
	['a value that came back in another order', true, [{ tags: ['b', 'a'] }]],
	['nothing', false, [{}]],
	['only what was written', false, [{ jobTitle: 'Countess' }]],
	['a field that had no value', false, [{ phone: null }]],
	['a value that is lost', false, [{ notes: null }]],
	['another value, which someone else has written', false, [{ notes: 'y' }]],
	['a value that came back and one that is lost', false, [{ notes: 'x', tags: [] }]],
	['a value that is lost after another one was not', false, [{ notes: 'x' }, { notes: '' }]],
])('after an answer with %s, omitted fields are known to be kept: %j', (_what, kept, answers) => {
	expect(areKept(...answers)).toBe(kept);
});

test('an answer tells nothing where the values before were not known', () => {
	const omitted = new OmittedFields();
	omitted.learn(unread('1'), written, { id: '1', notes: 'x' });
	omitted.learn({ ...ada, certain: new Set(['tags']) }, written, { id: '1', notes: 'x' });
	expect(omitted.areKept).toBe(false);
});
