import { describe, expect, test } from '@jest/globals';
import { deliver } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/deliver';
import type {
	KeySource,
	MessageIntent,
} from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/mailings';
import type {
	Place,
	Places,
} from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/memory';
import { Plan } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/plan';
import { RequestFailure } from '../../nodes/CrmWorkspace/transport/failure';
import { IdempotentService, type Disturbance } from '../support/simulated/idempotentService.mts';

const toAda: KeySource = {
	keyAt: (place) => `ada ${place}`,
	explainOtherContent: (known) => ({ message: `other content, ${known?.fate ?? 'nothing known'}` }),
	resentBy: 'a retry',
	doubt: 'in doubt',
	sentAnewBy: 'somewhere else',
};

/** What a turn remembers and where it is tried. */
interface Turn {
	places?: Places;
	turn?: string;
	/** The places that are done in this try of the turn, in all its runs. */
	done?: WeakSet<Place>;
	/** Whether an agent calls the node. */
	isCalled?: boolean;
	execution?: number;
	/** Whether an execution that is forgotten may have come before. */
	isRetry?: boolean;
	/** Whether the key is one of the user's. */
	isUsersKey?: boolean;
	countsAsDone?: boolean;
	mayBeRejected?: boolean;
	sendsAgain?: boolean;
}

/** Sends messages of one run to one recipient; gives what came of each, in their order. */
async function sendAll(
	service: IdempotentService,
	subjects: string[],
	{ places = [], turn = 'turn', ...more }: Turn = {},
): Promise<string[]> {
	const {
		done: donePlaces = new WeakSet(),
		execution = 0,
		isCalled = false,
		isRetry = false,
		countsAsDone = false,
		mayBeRejected = false,
		sendsAgain = true,
		isUsersKey = false,
	} = more;
	const plan = new Plan<MessageIntent>(places, {
		turn,
		isOrdered: !isCalled,
		remembersAll: execution === 0 && !isUsersKey && !isRetry,
		execution,
		donePlaces,
	});
	for (const [index, subject] of subjects.entries()) {
		const name = isCalled ? subject : String(index);
		const message = { to: 'ada@example.com', subject };
		plan.add({ name, message, countsAsDone, sendsAgain, mayBeRejected, items: [index] });
	}
	const results: string[] = [];
	const mailing = { plan, keys: toAda, places };
	for await (const { items, ...ended } of deliver(service.connection, mailing)) {
		results[items[0]] = inWords(ended);
	}
	return results;
}

/** What is said of a conflict of which the service does not say which. */
const unclear = 'The service reports a conflict for this message';

function inWords(ended: { delivery: { message?: object } } | { error: Error }): string {
	if ('delivery' in ended) return ended.delivery.message ? 'sent' : 'sent before';
	if (!(ended.error instanceof RequestFailure)) return ended.error.message;
	const { explanation, unknownOutcome, statusCode } = ended.error.details;
	return explanation?.message ?? unknownOutcome ?? `HTTP ${statusCode}`;
}

describe('several messages to one recipient', () => {
	test('are all sent, equal ones too', async () => {
		const service = new IdempotentService();
		await sendAll(service, ['a', 'b', 'a']);
		expect(service.delivered).toEqual(['a', 'b', 'a']);
	});

	test('of other turns are all sent', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		for (const turn of ['1', '2', '3']) await sendAll(service, ['a'], { places, turn });
		expect(service.delivered).toEqual(['a', 'a', 'a']);
	});

	test('at the same time are asked for one after another, in every run of the execution', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		await Promise.all(['1', '2', '3'].map((turn) => sendAll(service, ['a'], { places, turn })));
		expect(service.delivered).toEqual(['a', 'a', 'a']);
		expect(service.asked).toHaveLength(3);
	});
});

describe('a message that is led back to the node, in a turn of its own', () => {
	test.each<Disturbance>([
		'lostAfter',
		'lostBefore',
		'refused',
		'rejected',
		'sendFails',
		'deliveredLater',
	])('after %s is delivered once', async (disturbance) => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('b', [disturbance]);
		await sendAll(service, ['a', 'b', 'c'], { places, turn: '1' });
		await sendAll(service, ['b'], { places, turn: '2' });
		expect(service.delivered.toSorted()).toEqual(['a', 'b', 'c']);
	});
});

test.each<Disturbance>(['lostAfter', 'neverSent', 'refused'])(
	'what went out is not sent again when its item is led back, after it was tried again and that try was %s',
	async (disturbance) => {
		const service = new IdempotentService();
		const places: Places = [];
		await sendAll(service, ['a'], { places, turn: '1' });
		service.disturbances.set('a', [disturbance]);
		await sendAll(service, ['a'], { places, turn: '1' });
		await sendAll(service, ['a'], { places, turn: '2' });
		expect(service.delivered).toEqual(['a']);
		await sendAll(service, ['a'], { places, turn: '3' });
		expect(service.delivered).toEqual(['a', 'a']);
	},
);

test('equal messages of several turns are each sent where the user takes one that may be delivered later', async () => {
	const service = new IdempotentService();
	const places: Places = [];
	service.disturbances.set('a', ['deliveredLater', 'deliveredLater', 'deliveredLater']);
	const mayBeRejected = true;
	for (const turn of ['1', '2', '3'])
		await sendAll(service, ['a'], { places, turn, mayBeRejected });
	expect(service.delivered).toEqual(['a', 'a', 'a']);
});

test('equal messages of one turn that later attempts deliver are each delivered, and not again when they are led back', async () => {
	const service = new IdempotentService();
	const places: Places = [];
	service.disturbances.set('a', ['deliveredLater', 'deliveredLater']);
	for (const turn of ['1', '2', '3']) await sendAll(service, ['a', 'a'], { places, turn });
	expect(service.delivered).toEqual(['a', 'a']);
});

describe('a turn that is tried again', () => {
	test('never sends other content for what may be delivered by a later attempt', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['deliveredLater']);
		await sendAll(service, ['a', 'b'], { places });
		const countsAsDone = true;
		expect(await sendAll(service, ['a2', 'b'], { places, countsAsDone })).toEqual([
			'other content, doubtful',
			'sent',
		]);
		expect(await sendAll(service, ['a', 'b'], { places })).toEqual(['sent', 'sent']);
		expect(service.delivered).toEqual(['a', 'b']);
	});

	/** Of three messages that were tried at one place, the first went out; nobody was told. */
	async function severalInDoubt() {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['lostAfter']);
		service.disturbances.set('b', ['lostBefore']);
		service.disturbances.set('c', ['lostBefore']);
		await sendAll(service, ['a', 'b', 'c'], { places });
		return { service, places };
	}

	test('sends no changed content where any of several messages in doubt may be', async () => {
		const { service, places } = await severalInDoubt();
		await sendAll(service, ['a2', 'b2', 'c2'], { places });
		expect(service.delivered).toEqual(['a']);
	});

	test('sends no changed content where a try that was stopped may have been worked on', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['refused']);
		service.disturbances.set('a2', ['stoppedAfter']);
		for (const subject of ['a', 'a2', 'a3']) await sendAll(service, [subject], { places });
		expect(service.delivered).toEqual(['a2']);
	});

	test('sends what is missing where any of several messages in doubt may be', async () => {
		const { service, places } = await severalInDoubt();
		await sendAll(service, ['a', 'b', 'c'], { places });
		// Once in the first try and once in the second: none is asked for where another one is known to be.
		expect(service.asked).toHaveLength(6);
		expect(service.delivered.toSorted()).toEqual(['a', 'b', 'c']);
	});

	test('sends what is missing', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('b', ['lostAfter']);
		service.disturbances.set('c', ['refused']);
		await sendAll(service, ['a', 'b', 'c'], { places });
		expect(await sendAll(service, ['a', 'b', 'c', 'd'], { places })).toEqual(Array(4).fill('sent'));
		expect(service.delivered.toSorted()).toEqual(['a', 'b', 'c', 'd']);
	});

	test('sends no changed content of what went out, and says so', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		await sendAll(service, ['a', 'b'], { places });
		expect(await sendAll(service, ['a2', 'b'], { places })).toEqual([
			'other content, sent',
			'sent',
		]);
		expect(await sendAll(service, ['a2', 'b'], { places, countsAsDone: true })).toEqual([
			'sent before',
			'sent',
		]);
		expect(service.delivered).toEqual(['a', 'b']);
	});

	test('does not count as done what may not have gone out', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['lostAfter']);
		expect(await sendAll(service, ['a'], { places })).toEqual(['in doubt']);
		expect(await sendAll(service, ['a2'], { places, countsAsDone: true })).toEqual([
			'other content, open',
		]);
	});

	test('sends changed content of what was turned down', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['refused']);
		await sendAll(service, ['a'], { places });
		expect(await sendAll(service, ['a2'], { places })).toEqual(['sent']);
	});

	test.each([
		['with IDEMPOTENT_REPLAY: sent', 'IDEMPOTENT_REPLAY', 'given', 'sent', ['a2']],
		// Of what was turned down nobody knows whether it is what the key was used for.
		[
			'with IDEMPOTENCY_KEY_REUSED: not sent',
			'IDEMPOTENCY_KEY_REUSED',
			'given',
			'other content, open',
			[],
		],
		// It may be that of a proxy, and the key still free.
		['without a code: not sent', 'IDEMPOTENT_REPLAY', 'absent', unclear, []],
	] as const)(
		'changed content of what failed at the service, if that answers %s',
		async (_, code, codes, result, delivered) => {
			const service = new IdempotentService(code, codes);
			const places: Places = [];
			service.disturbances.set('a', ['sendFails']);
			expect(await sendAll(service, ['a'], { places })).toEqual([
				'The service rejected the message',
			]);
			expect(await sendAll(service, ['a2'], { places })).toEqual([result]);
			expect(service.delivered).toEqual(delivered);
		},
	);

	test('asks for no more than it has to where one of many messages is there and was not told', async () => {
		const service = new IdempotentService();
		const subjects = Array.from({ length: 20 }, (_, index) => `${index}`);
		for (const lost of ['3', '7', '11']) service.disturbances.set(lost, ['lostAfter']);
		await sendAll(service, subjects);
		expect(service.delivered).toEqual(subjects);
		// Each of the three is met by the next one, and by none after that.
		expect(service.asked).toHaveLength(23);
	});

	test.each<Disturbance>(['lostBefore', 'refused'])(
		'counts the failure of another one against none whose try was %s',
		async (lost) => {
			const service = new IdempotentService();
			const places: Places = [];
			service.disturbances.set('a', [lost]);
			service.disturbances.set('b', ['sendFailsNow']);
			const sendsAgain = false;
			await sendAll(service, ['a', 'b'], { places, sendsAgain });
			expect(await sendAll(service, ['a', 'b'], { places, sendsAgain })).toEqual([
				'sent',
				'An earlier attempt to send this message failed in the service',
			]);
		},
	);

	test('leaves to another turn what it was turned down for, whichever code the service gives', async () => {
		for (const code of ['IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED']) {
			const service = new IdempotentService(code);
			const places: Places = [];
			service.disturbances.set('a', ['sendFails']);
			await sendAll(service, ['a'], { places, turn: '1', sendsAgain: false });
			const other = { places, turn: '2', sendsAgain: false };
			expect(await sendAll(service, ['b'], other)).toEqual(['sent']);
		}
	});

	test('does not take a conflict without a code for success', async () => {
		const service = new IdempotentService('IDEMPOTENT_REPLAY', 'absent');
		const places: Places = [];
		service.disturbances.set('a', ['sendFailsUnseen']);
		expect(await sendAll(service, ['a'], { places })).toEqual(['in doubt']);
		expect(await sendAll(service, ['a'], { places })).toEqual([unclear]);
	});

	test('gives two messages in doubt at one place each its own', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['lostAfter']);
		service.disturbances.set('b', ['lostBefore']);
		await sendAll(service, ['a', 'b'], { places });
		expect(await sendAll(service, ['a', 'b'], { places })).toEqual(['sent', 'sent']);
		expect(service.delivered.toSorted()).toEqual(['a', 'b']);
	});

	test('knows its messages by their item, whichever went out first and whatever they say now', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['refused']);
		await sendAll(service, ['a', 'b'], { places });
		const again = await sendAll(service, ['a2', 'b2'], { places, countsAsDone: true });
		expect(again).toEqual(['sent', 'sent before']);
		expect(service.delivered).toEqual(['b', 'a2']);
	});

	test('gives no message the place that another one had, when its own has failed', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['sendFailsUnseen', 'lostAfter']);
		await sendAll(service, ['a', 'a'], { places });
		expect(await sendAll(service, ['a', 'a'], { places })).toEqual(['sent', 'sent']);
		expect(service.delivered).toEqual(['a', 'a']);
	});
});

describe('an agent that is tried again', () => {
	/** One try of the agent: a call after the other. */
	const tryAgent = async (
		service: IdempotentService,
		places: Places,
		calls: string[],
		more: Turn = {},
	) => {
		const done = new WeakSet<Place>();
		const results = [];
		for (const call of calls) {
			const turn = { places, done, isCalled: true, ...more };
			results.push(...(await sendAll(service, [call], turn)));
		}
		return results;
	};

	test('asks twice for a message that the service takes and does not deliver', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['rejected', 'rejected']);
		const mayBeRejected = true;
		await tryAgent(service, places, ['a', 'a'], { mayBeRejected });
		expect(service.originals.size).toBe(2);
		await tryAgent(service, places, ['a', 'a'], { mayBeRejected });
		expect(service.originals.size).toBe(2);
	});

	test.each([
		['IDEMPOTENT_REPLAY', ['b', 'a']],
		['IDEMPOTENCY_KEY_REUSED', ['a', 'b']],
	])(
		'asks for several messages whose sends fail, for what went out first (%s)',
		async (code, calls) => {
			const service = new IdempotentService(code);
			const places: Places = [];
			service.disturbances.set('a', ['sendFails']);
			service.disturbances.set('b', ['sendFails']);
			await tryAgent(service, places, ['a', 'b']);
			for (let execution = 1; execution <= 3; execution++) {
				await tryAgent(service, places, calls, { execution });
			}
			expect(service.delivered.toSorted()).toEqual(['a', 'b']);
		},
	);

	test('asks for the same messages in another order, one call each', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		await tryAgent(service, places, ['a', 'b', 'a']);
		expect(await tryAgent(service, places, ['b', 'a', 'a', 'c'])).toEqual(Array(4).fill('sent'));
		expect(service.delivered).toEqual(['a', 'b', 'a', 'c']);
	});

	test('has one call tried again after its answer was lost, and another one for the same', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['lostAfter']);
		await tryAgent(service, places, ['a', 'a', 'a']);
		expect(service.delivered).toEqual(['a', 'a']);
	});

	test('sends no other words for what may be any of its messages, and counts none as done', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		await tryAgent(service, places, ['a', 'b']);
		const again = await tryAgent(service, places, ['b2', 'a', 'b2'], { countsAsDone: true });
		expect(again).toEqual(
			Array(1).fill('other content, nothing known').concat('sent', 'other content, nothing known'),
		);
		expect(service.delivered).toEqual(['a', 'b']);
	});

	// It may be other words for that.
	test.each<Disturbance>(['lostBefore', 'neverSent', 'refused', 'sendFails'])(
		'sends what it could not send before (%s) once it has asked for what went out in its place',
		async (disturbance) => {
			const service = new IdempotentService();
			const places: Places = [];
			service.disturbances.set('a', [disturbance]);
			await tryAgent(service, places, ['a', 'b']);
			expect(await tryAgent(service, places, ['a', 'b', 'a'])).toEqual([
				'other content, nothing known',
				'sent',
				'sent',
			]);
			expect(service.delivered).toEqual(['b', 'a']);
		},
	);

	test('sends no further one that is equal before it has asked for the others', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		await tryAgent(service, places, ['a', 'b']);
		expect(await tryAgent(service, places, ['a', 'a', 'b', 'a'])).toEqual([
			'sent',
			'other content, nothing known',
			'sent',
			'sent',
		]);
		expect(service.delivered).toEqual(['a', 'b', 'a']);
	});

	test('asks for one that went out twice, in place of another that did', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		await tryAgent(service, places, ['a', 'b']);
		expect(await tryAgent(service, places, ['b', 'b'])).toEqual([
			'sent',
			'other content, nothing known',
		]);
		expect(service.delivered).toEqual(['a', 'b']);
	});

	test('gives no other message the place of one that the service did not deliver', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['rejected']);
		for (const _try of [1, 2, 3]) {
			expect(await tryAgent(service, places, ['a', 'b'])).toEqual(['sent', 'sent']);
		}
		expect(service.originals.size).toBe(2);
		expect(service.delivered).toEqual(['b']);
	});

	test('sends other words for what was turned down', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('b', ['refused']);
		await tryAgent(service, places, ['a', 'b']);
		expect(await tryAgent(service, places, ['a', 'b2'])).toEqual(['sent', 'sent']);
	});
});

describe('after a crash, when nothing is remembered', () => {
	const sentBefore = async (subjects: string[]) => {
		const service = new IdempotentService();
		await sendAll(service, subjects);
		return service;
	};

	test.each([
		['the same order', ['a', 'b'], ['a', 'b', 'c']],
		['another order', ['a', 'b'], ['c', 'b', 'a']],
		['a new one on top', ['a'], ['x', 'a', 'b']],
		['equal ones', ['a', 'a'], ['b', 'a', 'a', 'a']],
	])('each is sent once: %s', async (_name, before, after) => {
		const service = await sentBefore(before);
		expect(await sendAll(service, after)).toEqual(after.map(() => 'sent'));
		expect(service.delivered.toSorted()).toEqual(after.toSorted());
	});

	test('what has other content than any of the run ends in an error, not in a second message', async () => {
		const service = await sentBefore(['a', 'b']);
		expect(await sendAll(service, ['a2', 'b', 'c'])).toEqual(
			Array(3).fill('other content, nothing known'),
		);
		expect(service.delivered).toEqual(['a', 'b']);
	});

	test('what is turned down may have gone out before it', async () => {
		const service = await sentBefore(['a']);
		const places: Places = [];
		service.disturbances.set('a2', ['refused']);
		await sendAll(service, ['a2'], { places, isRetry: true });
		expect(await sendAll(service, ['a3'], { places, isRetry: true })).toEqual([
			'other content, open',
		]);
		expect(service.delivered).toEqual(['a']);
	});

	test('what was turned down has kept its place, whatever conflict a proxy reports', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['refused', 'conflictOfProxy']);
		const tries = [1, 2, 3].map(() => () => sendAll(service, ['a'], { places }));
		const results: string[] = [];
		for (const send of tries) results.push(...(await send()));
		expect(results).toEqual(['The service rejected the message', unclear, 'sent']);
		await sendAll(service, ['a'], { isRetry: true });
		expect(service.delivered).toEqual(['a']);
	});

	test('a failed send is left behind', async () => {
		const service = new IdempotentService();
		service.disturbances.set('a', ['sendFails']);
		await sendAll(service, ['a', 'b']);
		expect(await sendAll(service, ['b', 'a'])).toEqual(['sent', 'sent']);
		expect(service.delivered.toSorted()).toEqual(['a', 'b']);
	});
});

describe('after a crash of a retry, when only what was known before it is remembered', () => {
	test('what was turned down before may have gone out since', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['refused']);
		await sendAll(service, ['a'], { places });
		await sendAll(service, ['a2'], { places: structuredClone(places), execution: 1 });
		expect(await sendAll(service, ['a3'], { places, execution: 2 })).toEqual([
			'other content, open',
		]);
		expect(service.delivered).toEqual(['a2']);
	});

	test('what stands where another message was tried may be of the same item', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['lostBefore']);
		await sendAll(service, ['a'], { places, turn: '1' });
		await sendAll(service, ['b'], { places: structuredClone(places), turn: '2', execution: 1 });
		expect(await sendAll(service, ['b2'], { places, turn: '2', execution: 2 })).toEqual([
			'other content, open',
		]);
		expect(service.delivered).toEqual(['b']);
	});
});

describe("a key of the user's", () => {
	const isUsersKey = true;

	test('is never given up for the next one while its first message may have gone out', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['lostAfter']);
		await sendAll(service, ['a'], { places, isUsersKey });
		const other = await sendAll(service, ['a2'], { places, isUsersKey });
		expect(other).toEqual(['other content, open']);
		expect(await sendAll(service, ['a2'], { isUsersKey })).toEqual([
			'other content, nothing known',
		]);
		service.disturbances.set('a3', ['refused']);
		const turnedDown: Places = [];
		await sendAll(service, ['a3'], { places: turnedDown, isUsersKey });
		expect(await sendAll(service, ['a4'], { places: turnedDown, isUsersKey })).toEqual([
			'other content, open',
		]);
		expect(service.delivered).toEqual(['a']);
	});
});

test("messages that may be in each other's place come to an end", async () => {
	const service = new IdempotentService('IDEMPOTENT_REPLAY', 'absent');
	const places: Places = [];
	service.disturbances.set('a', ['sendFailsUnseen']);
	service.disturbances.set('b', ['sendFailsUnseen', 'sendFailsUnseen']);
	for (const _try of [1, 2, 3]) await sendAll(service, ['a', 'b'], { places });
	expect(service.delivered).toEqual([]);
	expect(await sendAll(service, ['a', 'b'], { places })).toEqual([unclear, unclear]);
});

describe('a message that fails at the service again and again', () => {
	const usedUp = '5 sends to this recipient have failed';
	const notAgain = 'An earlier attempt to send this message failed in the service';
	const kinds = ['sendFails', 'sendFailsAsMessage'] as const;
	const codes = ['IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'];
	const readings = kinds.flatMap((kind) => codes.map((code) => [kind, code] as const));

	/** Tries of a turn whose sends all fail. */
	async function failing(kind: Disturbance, code: string, subjects: string[], sendsAgain = true) {
		const service = new IdempotentService(code);
		const places: Places = [];
		for (const subject of subjects) service.disturbances.set(subject, Array(20).fill(kind));
		let last: string[] = [];
		for (let count = 0; count < 8; count++) {
			last = await sendAll(service, subjects, { places, sendsAgain });
		}
		return { service, places, last };
	}

	test.each(readings)('is given up after five sends (%s, %s)', async (kind, code) => {
		expect((await failing(kind, code, ['a'])).last).toEqual([usedUp]);
	});

	test.each(readings)('stays given up with other content (%s, %s)', async (kind, code) => {
		const { service, places } = await failing(kind, code, ['a', 'b']);
		for (const subjects of [
			['a2', 'a2'],
			['a2', 'a2'],
			['a3', 'b3'],
		]) {
			expect(await sendAll(service, subjects, { places })).toEqual([usedUp, usedUp]);
		}
		expect(service.delivered).toEqual([]);
	});

	const known = readings.filter(([kind, code]) => kind !== 'sendFails' || code !== codes[1]);
	test.each(known)('is given up after five contents, too (%s, %s)', async (kind, code) => {
		const service = new IdempotentService(code);
		const places: Places = [];
		const results = [];
		for (const subject of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) {
			service.disturbances.set(subject, Array(5).fill(kind));
			results.push(...(await sendAll(service, [subject], { places })));
		}
		expect(results.slice(5)).toEqual([usedUp, usedUp]);
		expect(await sendAll(service, ['a8'], { places })).toEqual([usedUp]);
	});

	test.each(readings)(
		'is not sent again when the user does not want that (%s, %s)',
		async (kind, code) => {
			const { service, places, last } = await failing(kind, code, ['a', 'b'], false);
			expect(last).toEqual([notAgain, notAgain]);
			expect(await sendAll(service, ['a2', 'a2'], { places, sendsAgain: false })).toEqual([
				notAgain,
				notAgain,
			]);
			expect(service.delivered).toEqual([]);
		},
	);

	test('stays sent once it is, also when the user wants no further send', async () => {
		const service = new IdempotentService();
		const places: Places = [];
		service.disturbances.set('a', ['sendFails']);
		await sendAll(service, ['a'], { places });
		for (const sendsAgain of [true, false, true]) {
			expect(await sendAll(service, ['a'], { places, sendsAgain })).toEqual(['sent']);
		}
		expect(service.delivered).toEqual(['a']);
	});
});
