import { expect, test } from '@jest/globals';
import { explainRejection } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/texts';
import { explainFailure } from '../../nodes/CrmWorkspace/operations/updateContact/texts';
import type { FailureDetails } from '../../nodes/CrmWorkspace/client/failure';

const message = { to: 'ada@example.com', templateSlug: 'welcome' };
const rejected: FailureDetails = {
	...{ kind: 'status', statusCode: 422, code: '', message: 'no such template' },
	...{ request: 'POST /transactional/send', host: 'crm.example.com', mode: 'test', attempts: 2 },
};
const adviceOf = (details: FailureDetails) => [
	explainRejection(details, message)?.[1],
	explainFailure(details, '1', false)?.[1],
];

test('a rejection says that nothing was done', () => {
	const [ofSend, ofUpdate] = adviceOf(rejected);
	expect(ofSend).toContain('Nothing was sent');
	expect(ofUpdate).toContain('Nothing was changed');
});

test('after an attempt whose response was lost, it does not', () => {
	const [ofSend, ofUpdate] = adviceOf({ ...rejected, earlier: { kind: 'noResponse' } });
	expect(ofSend).not.toContain('Nothing');
	expect(ofUpdate).not.toContain('Nothing');
});

test('a rejection of values of which no others are known says to correct what the service names', () => {
	const details = { ...rejected, message: 'jobTitle is too long' };
	expect(explainRejection(details, { to: 'ada@example.com', html: 'x' })?.[1]).toBe(
		'Nothing was sent this time. Correct what it names.',
	);
	expect(explainFailure(details, '1', false)?.[1]).toBe(
		'Nothing was changed. Correct what it names.',
	);
	expect(explainFailure({ ...details, message: undefined }, '1', false)?.[1]).toBe(
		'Nothing was changed. ',
	);
});
