import { describe, expect, test } from '@jest/globals';
import {
	rateLimitHint,
	type RateLimitFigures,
} from '../../nodes/CrmWorkspace/transport/rateLimitHint';

const second = 1000;
const minute = 60 * second;

const nothing: RateLimitFigures = {
	turnedAway: 0,
	putOff: 0,
	waited: 0,
	letThrough: { requests: 10, within: 10 * second },
	allowed: 60,
	kept: 60,
};

const advice =
	'it allows fewer than the credential says, or something else uses the same API key. In the credential, set Requests per Minute to what the service allows, and n8n Processes to how many of them use the key';

describe('one text for all that the rate limit did', () => {
	test.each<[what: string, figures: Partial<RateLimitFigures>, text: string | undefined]>([
		['nothing', {}, undefined],
		['a wait of no account', { waited: second - 1 }, undefined],
		[
			'a wait as the credential says',
			{ waited: 62 * second },
			'Waited 1 min 2 s to keep within 60 requests per minute, as the credential says',
		],
		[
			'a wait of just a second',
			{ waited: second },
			'Waited 1 s to keep within 60 requests per minute, as the credential says',
		],
		[
			'a wait for another credential',
			{ waited: 90 * second, allowed: 1, kept: 1 },
			'Waited 1 min 30 s to keep within 1 request per minute, as another credential in use with its API key says',
		],
		[
			'a credential that allows more than one that is in use no longer',
			{ waited: 90 * second, allowed: 100, kept: 100 },
			'Waited 1 min 30 s to keep within 60 requests per minute, as the credential says',
		],
		[
			'a wait for what earlier refusals have taught',
			{ waited: 63 * second, kept: 14 },
			`Waited 1 min 3 s, because the service turned away requests with this API key shortly before: the node kept to 14 requests per minute. Perhaps ${advice}`,
		],
		[
			'a refusal that cost no time',
			{ turnedAway: 1, waited: second - 1 },
			`The service turned away a request because of its rate limit. Perhaps ${advice}`,
		],
		[
			'refusals in a run of less than a minute',
			{ turnedAway: 2, waited: 4 * second, letThrough: { requests: 30, within: minute - 1 } },
			`The service turned away 2 requests because of its rate limit: the run waited 4 s. Perhaps ${advice}`,
		],
		[
			'a limit that is lower than the credential says',
			{
				turnedAway: 9,
				waited: 133 * second,
				kept: 12,
				letThrough: { requests: 10, within: 134 * second },
			},
			`The service turned away 9 requests because of its rate limit: the run waited 2 min 13 s, and 4 requests a minute got through. Perhaps ${advice}`,
		],
		[
			'one request in a minute',
			{ turnedAway: 2, waited: minute, letThrough: { requests: 1, within: minute } },
			`The service turned away 2 requests because of its rate limit: the run waited 1 min, and 1 request a minute got through. Perhaps ${advice}`,
		],
		[
			'less than one request a minute',
			{ turnedAway: 2, waited: 3 * minute, letThrough: { requests: 2, within: 3 * minute } },
			`The service turned away 2 requests because of its rate limit: the run waited 3 min. Perhaps ${advice}`,
		],
		[
			'what was put off beside that',
			{ turnedAway: 1, putOff: 1, waited: 2 * second },
			`The service turned away a request because of its rate limit, and put off a request (HTTP 503): the run waited 2 s. Perhaps ${advice}`,
		],
		[
			'of what is put off without a reason, none is claimed',
			{ putOff: 2, waited: 61 * second, letThrough: { requests: 7, within: minute } },
			`The service put off 2 requests for as long as it said (HTTP 503): the run waited 1 min 1 s, and 7 requests a minute got through. If that was its rate limit, perhaps ${advice}`,
		],
	])('%s', (_what, figures, text) => {
		expect(rateLimitHint({ ...nothing, ...figures }, 60)).toBe(text);
	});
});
