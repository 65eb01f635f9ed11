import { describe, expect, test } from '@jest/globals';
import { Share } from '../../nodes/CrmWorkspace/transport/pacing/share';

const minute = 60_000;
const allowance = 60;

/** A share after refusals at some moments, each of a request sent just before. */
function refusedAt(...moments: number[]): Share {
	const share = new Share();
	for (const at of moments) share.throttled(allowance, { at, sentAt: at - 1, askedWait: 0 });
	return share;
}

test('without a refusal it is everything', () => {
	const share = new Share();
	share.letThrough(allowance, 0);
	expect([share.perMinute, share.pausedUntil]).toEqual([Infinity, -Infinity]);
});

describe('a refusal', () => {
	test('leaves a fifth, but never too little for some tries', () => {
		expect(refusedAt(0).perMinute).toBe(12);
		const small = new Share();
		small.throttled(1, { at: 0, sentAt: -1, askedWait: 0 });
		expect(small.perMinute).toBe(0.5);
	});

	test('within a minute of the first one takes nothing, and later ones take a part', () => {
		expect(refusedAt(0, minute - 1).perMinute).toBe(12);
		expect(refusedAt(0, minute).perMinute).toBeCloseTo(0.7 * 12);
		const parts = [0.7, 0.85, 0.86, 0.86];
		const moments = parts.map((_, index) => (index + 1) * minute);
		const left = parts.reduce((share, part) => share * part, 12);
		expect(refusedAt(0, ...moments).perMinute).toBeCloseTo(left);
		const many = Array.from({ length: 50 }, (_, index) => index * minute);
		expect(refusedAt(...many).perMinute).toBe(0.5);
	});

	test('of a request that was under way when the last one came tells nothing new', () => {
		const share = refusedAt(0, minute);
		share.throttled(allowance, { at: minute + 10, sentAt: minute, askedWait: 0 });
		expect(share.perMinute).toBeCloseTo(0.7 * 12);
		share.throttled(allowance, { at: minute + 10, sentAt: minute + 1, askedWait: 0 });
		expect(share.perMinute).toBeCloseTo(0.7 * 0.85 * 12);
	});
});

describe('after a refusal nothing is asked', () => {
	const gap = minute / 12;

	test('for a gap and a third, and for more after each further one, up to two', () => {
		expect(refusedAt(0).pausedUntil).toBeCloseTo((4 / 3) * gap);
		expect(refusedAt(0, 1000).pausedUntil).toBeCloseTo(1000 + (5 / 3) * gap);
		expect(refusedAt(0, 1000, 2000).pausedUntil).toBeCloseTo(2000 + 2 * gap);
		expect(refusedAt(0, 1000, 2000, 3000).pausedUntil).toBeCloseTo(3000 + 2 * gap);
	});

	test('for less again once something was let through', () => {
		const share = refusedAt(0, 1000);
		share.letThrough(allowance, 1000);
		share.throttled(allowance, { at: 50_000, sentAt: 49_000, askedWait: 0 });
		expect(share.pausedUntil).toBeCloseTo(50_000 + (4 / 3) * gap);
	});

	test('for as long as it says, whenever its request was sent', () => {
		const share = refusedAt(0);
		share.throttled(allowance, { at: 100, sentAt: -50, askedWait: 20_000 });
		expect(share.pausedUntil).toBe(20_100);
		share.throttled(allowance, { at: 200, sentAt: -50, askedWait: 5 });
		expect(share.pausedUntil).toBe(20_100);
		expect(share.perMinute).toBe(12);
	});
});

describe('a share grows as long as nothing is refused', () => {
	const grown = (...moments: number[]) => {
		const share = refusedAt(0);
		for (const moment of moments) share.letThrough(allowance, moment);
		return share.perMinute;
	};
	const mean = Math.sqrt(allowance * 12);

	test('in proportion to the time, and faster the longer that lasts', () => {
		expect(grown(minute)).toBeCloseTo(12 + 0.15 * 1.5 * mean);
		expect(grown(minute / 2)).toBeCloseTo(12 + 0.15 * 1.5 ** 0.5 * 0.5 * mean);
		expect(grown(0)).toBe(12);
	});

	test('since it grew last', () => {
		const half = grown(minute / 2);
		const more = 0.15 * 1.5 * 0.5 * Math.sqrt(allowance * half);
		expect(grown(minute / 2, minute)).toBeCloseTo(half + more);
	});

	test('by a minute at most where nothing was asked meanwhile', () => {
		expect(grown(2 * minute)).toBeCloseTo(12 + 0.15 * 1.5 ** 2 * mean);
	});

	test('until it is the whole again', () => {
		expect(grown(minute, 2 * minute, 3 * minute)).toBeLessThan(allowance);
		expect(grown(minute, 2 * minute, 3 * minute, 4 * minute)).toBe(Infinity);
	});

	test('in finer steps after each further refusal', () => {
		const share = refusedAt(0, minute);
		const before = share.perMinute;
		share.letThrough(allowance, 2 * minute);
		expect(share.perMinute).toBeCloseTo(before + 0.075 * 1.5 * Math.sqrt(allowance * before));
	});

	test('in coarse steps again after it was whole', () => {
		const share = refusedAt(0, minute, 2 * minute);
		share.forget(20 * minute);
		share.throttled(allowance, { at: 20 * minute, sentAt: 20 * minute - 1, askedWait: 0 });
		share.letThrough(allowance, 21 * minute);
		expect(share.perMinute).toBeCloseTo(12 + 0.15 * 1.5 * mean);
	});
});

test('the steps become no finer than a 128th', () => {
	const share = refusedAt(...Array.from({ length: 12 }, (_, index) => index * minute));
	const before = share.perMinute;
	share.letThrough(allowance, 12 * minute);
	expect(share.perMinute).toBeCloseTo(before + (1.5 / 128) * Math.sqrt(allowance * before));
});

test('a refusal is forgotten after ten minutes', () => {
	const share = refusedAt(minute);
	share.forget(11 * minute - 1);
	expect(share.perMinute).toBe(12);
	share.forget(11 * minute);
	expect(share.perMinute).toBe(Infinity);
});
