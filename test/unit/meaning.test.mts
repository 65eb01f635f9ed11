import { expect, test } from '@jest/globals';
import type { FailureDetails, FailedAttempt } from '../../nodes/CrmWorkspace/transport/failure';
import {
	isInDoubt,
	isThrottled,
	isRefusedContent,
	isTurnedDown,
	isUnanswered,
	mayHaveBegun,
} from '../../nodes/CrmWorkspace/transport/meaning';

const raised = { message: 'blocked', isTransient: false };

/** What is said of an outcome, by the name of what says it. */
const said = (outcome: FailedAttempt) =>
	Object.entries({ isThrottled, isRefusedContent, isTurnedDown, isUnanswered, mayHaveBegun })
		.filter(([, says]) => says(outcome))
		.map(([name]) => name);

test.each<[FailedAttempt, string[]]>([
	[{ statusCode: 299 }, ['mayHaveBegun']],
	[{ statusCode: 300 }, []],
	[{ statusCode: 399 }, []],
	[{ statusCode: 400 }, ['isRefusedContent', 'isTurnedDown']],
	[{ statusCode: 401 }, ['isTurnedDown']],
	[{ statusCode: 404 }, ['isTurnedDown']],
	[{ statusCode: 408 }, ['mayHaveBegun']],
	[{ statusCode: 409 }, ['isTurnedDown']],
	[{ statusCode: 422 }, ['isRefusedContent', 'isTurnedDown']],
	[{ statusCode: 429 }, ['isThrottled']],
	[{ statusCode: 499 }, ['isTurnedDown']],
	[{ statusCode: 500 }, ['mayHaveBegun']],
	[{ statusCode: 501 }, ['mayHaveBegun']],
	[{ statusCode: 505 }, ['mayHaveBegun']],
	[{ statusCode: 502, askedWait: 1000 }, ['mayHaveBegun']],
	[{ statusCode: 503 }, ['mayHaveBegun']],
	[{ statusCode: 503, askedWait: 0 }, ['isThrottled', 'mayHaveBegun']],
	[{ networkCode: 'ECONNRESET' }, ['isUnanswered', 'mayHaveBegun']],
	[{ networkCode: 'ECONNREFUSED' }, ['isUnanswered']],
	[{ networkCode: 'CERT_HAS_EXPIRED' }, ['isUnanswered']],
	[{ raised }, ['isUnanswered']],
	[{ isHeldUp: true }, []],
	[{}, ['mayHaveBegun']],
])('what %j says', (outcome, expected) => {
	expect(said(outcome)).toEqual(expected);
});

test('a message is in doubt once an attempt may have arrived, whatever the last one came to', () => {
	const refused = { statusCode: 422 } as FailureDetails;
	expect(isInDoubt(refused)).toBe(false);
	expect(isInDoubt({ ...refused, earlier: { networkCode: 'ECONNRESET' } })).toBe(true);
	expect(isInDoubt({ statusCode: 500 } as FailureDetails)).toBe(true);
});
