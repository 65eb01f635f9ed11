import { describe, expect, test } from '@jest/globals';
import { Slots, windowMs } from '../../nodes/CrmWorkspace/transport/slots';

/** What two clocks may differ in, in ms. */
const margin = 50;

/** Slots that were taken and whose requests have ended, each at a moment. */
function slotsEnded(...moments: number[]): Slots {
	const slots = new Slots();
	for (const moment of moments) {
		slots.take('a');
		slots.end('a', true, moment);
	}
	return slots;
}

// Interface: LIMIT-1.
test('a slot is taken until a minute after the answer', () => {
	const slots = new Slots();
	slots.take('a');
	expect([slots.taken, slots.inFlight, slots.of('a')]).toEqual([1, 1, 1]);
	slots.end('a', true, 1000);
	expect([slots.taken, slots.inFlight, slots.gotThrough]).toEqual([1, 0, 1]);
	slots.giveBack(1000 + windowMs + margin - 1);
	expect([slots.taken, slots.of('a'), slots.gotThrough]).toEqual([1, 1, 1]);
	slots.giveBack(1000 + windowMs + margin);
	expect([slots.taken, slots.of('a'), slots.gotThrough]).toEqual([0, 0, 0]);
});

test('each execution has its own, and only what was let through got through', () => {
	const slots = new Slots();
	for (const execution of ['a', 'a', 'b']) slots.take(execution);
	slots.end('a', true, 0);
	slots.end('a', false, 1000);
	expect([slots.of('a'), slots.of('b'), slots.of('c')]).toEqual([2, 1, 0]);
	expect([slots.taken, slots.inFlight, slots.gotThrough]).toEqual([3, 1, 1]);
	slots.giveBack(windowMs + margin);
	expect([slots.of('a'), slots.gotThrough]).toEqual([1, 0]);
	slots.giveBack(1000 + windowMs + margin);
	expect([slots.of('a'), slots.of('b'), slots.gotThrough, slots.taken]).toEqual([0, 1, 0, 1]);
});

test('one that may arrive late keeps its slot longer, and so do all after it', () => {
	const slots = slotsEnded(5000, 1000);
	expect(slots.whenBelow(1)).toBe(5000 + windowMs + margin);
	slots.giveBack(1000 + windowMs + margin);
	expect(slots.taken).toBe(2);
	slots.giveBack(5000 + windowMs + margin);
	expect(slots.taken).toBe(0);
});

describe('when fewer slots are taken than there are', () => {
	test('now, where one is free', () => {
		expect(slotsEnded(0).whenBelow(2)).toBe(-Infinity);
	});

	test('when enough of them have come free', () => {
		const slots = slotsEnded(0, 1000, 2000);
		expect(slots.whenBelow(3)).toBe(windowMs + margin);
		expect(slots.whenBelow(2)).toBe(1000 + windowMs + margin);
		expect(slots.whenBelow(1)).toBe(2000 + windowMs + margin);
	});

	test('unknown, where answers have to come first', () => {
		const slots = new Slots();
		slots.take('a');
		expect(slots.whenBelow(1)).toBeUndefined();
	});
});

describe('the gap with which free slots last', () => {
	test('is a little less than a turn of the minute on an idle key', () => {
		expect(new Slots().evenGap(60, 0)).toBeCloseTo((0.97 * windowMs) / 61);
		expect(new Slots().evenGap(0, 0)).toBeCloseTo(0.97 * windowMs);
	});

	test('is greater where requests under way have slots', () => {
		const slots = new Slots();
		for (let count = 0; count < 11; count++) slots.take('a');
		expect(slots.evenGap(60, 0)).toBeCloseTo((0.97 * windowMs) / 50);
		expect(slots.evenGap(5, 0)).toBeCloseTo(0.97 * windowMs);
	});

	test('makes those that are free last until others come free', () => {
		const free = windowMs + margin - 1500;
		expect(slotsEnded(0).evenGap(2, 0)).toBeCloseTo(free / 2);
		expect(slotsEnded(0).evenGap(2, 10_000)).toBeCloseTo((free - 10_000) / 2);
		expect(slotsEnded(0, 40_000).evenGap(2, 0)).toBeCloseTo(free);
		expect(slotsEnded(0, 40_000).evenGap(4, 0)).toBeCloseTo((free + 40_000) / 4);
	});

	test('counts no turn of slots beyond the allowance', () => {
		const slots = slotsEnded(0, 0, 0);
		expect(slots.evenGap(1, 0)).toBeCloseTo(windowMs + margin - 1500);
		expect(slots.evenGap(0, 0)).toBeCloseTo(0.97 * windowMs);
	});

	test('looks at some of many, however many they are', () => {
		const moments = Array.from({ length: 64 }, (_, index) => 1000 * index);
		const first = (windowMs + margin - 1500) / 37;
		expect(slotsEnded(...moments).evenGap(100, 0)).toBeCloseTo(first);
		expect(slotsEnded(...moments.with(-1, 1_000_000)).evenGap(100, 0)).toBeCloseTo(first);
		expect(slotsEnded(...moments.slice(-33), 1_000_000).evenGap(34, 0)).toBeGreaterThan(10_000);
	});
});
