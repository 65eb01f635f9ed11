import { expect, test } from '@jest/globals';
import { explainRejection } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/texts';
import { explainFailure } from '../../nodes/CrmWorkspace/operations/updateContact/texts';
import type { FailureDetails } from '../../nodes/CrmWorkspace/client/failure';

const rejected: FailureDetails = {
	...{ kind: 'status', statusCode: 422, message: 'jobTitle is too long' },
	...{ host: 'crm.example.com', mode: 'test', attempts: 2, outcome: '', isOutcomeUnknown: false },
};

test('a rejection of values of which no others are known says to correct what the service names', () => {
	const message = { to: 'ada@example.com', html: 'x' };
	const advice = (details: FailureDetails) => [
		explainRejection(details, message)?.[1],
		explainFailure(details, false)[1],
	];
	expect(advice(rejected)).toEqual(Array(2).fill('Correct what the service names.'));
	expect(advice({ ...rejected, message: undefined })).toEqual(['', '']);
});

test.each([404, 422])(
	'after an attempt of unknown outcome, a %d is not the reason',
	(statusCode) => {
		const lost = { ...rejected, statusCode, isOutcomeUnknown: true };
		const [reason, advice] = explainFailure(lost, false);
		expect(reason).toMatch(/^an earlier attempt got no clear response, then the service /);
		expect(advice).toMatch(/^Updating it again is safe\. /);
	},
);
