import { describe, expect, test } from '@jest/globals';
import { NoRoom, Room, RunRoom, TooMuchHeld } from '../../nodes/CrmWorkspace/transport/room';

const never = new AbortController().signal;

/** Whether a promise is still open after all that can go on has gone on. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
	promise.catch(() => undefined);
	const open = Symbol('open');
	const later = new Promise((resolve) => setTimeout(resolve, 5, open));
	return (await Promise.race([promise, later])) === open;
}

describe('room for large answers', () => {
	test('is had at once as long as there is some', async () => {
		const room = new Room(100, 100);
		const runs = [new RunRoom(room), new RunRoom(room)];
		for (const run of runs) await run.claim().take(50, never);
		expect(room.taken).toBe(100);
	});

	test('is waited for, until an answer is done or its run has ended', async () => {
		const room = new Room(100, 100);
		const [first, second] = [new RunRoom(room), new RunRoom(room)];
		const [claim, other] = [first.claim(), second.claim()];
		await claim.take(80, never);
		expect(other.waited).toBe(0);
		const begun = performance.now();
		const waiting = other.take(50, never);
		expect(await isOpen(waiting)).toBe(true);
		expect(other.waited).toBeGreaterThan(0);
		expect(other.waited).toBeLessThanOrEqual(performance.now() - begun);
		claim.end(0.9);
		expect(room.taken).toBe(72);
		expect(await isOpen(waiting)).toBe(true);
		first.close();
		await waiting;
		const { waited } = other;
		expect(waited).toBeGreaterThan(0);
		await isOpen(new Promise(() => {}));
		expect(other.waited).toBe(waited);
		expect(room.taken).toBe(50);
		second.close();
		other.end(1);
		expect([room.taken, room.runs.size]).toEqual([0, 0]);
	});

	test('is no ground to wait for each other: the first may go on', async () => {
		const room = new Room(100, 100);
		const runs = Array.from({ length: 20 }, () => new RunRoom(room));
		const held: number[] = [];
		await Promise.all(
			runs.map(async (run) => {
				const claim = run.claim();
				for (let i = 0; i < 10; i++) await claim.take(6, never);
				held.push(room.taken);
				claim.end(1);
				run.close();
			}),
		);
		expect(held).toHaveLength(20);
		expect(Math.max(...held)).toBeLessThanOrEqual(200);
		expect([room.taken, room.runs.size]).toEqual([0, 0]);
	});

	test('goes to the answers of one run one after the other', async () => {
		const room = new Room(50, 100);
		const run = new RunRoom(room);
		const claims = Array.from({ length: 20 }, () => run.claim());
		await Promise.all(
			claims.map(async (claim) => {
				for (let i = 0; i < 6; i++) await claim.take(10, never);
				claim.end(0.01);
			}),
		);
		expect(room.taken).toBe(20);
	});

	test('is kept first by the run that holds some for longest, whichever answer is done', async () => {
		const room = new Room(100, 100);
		const [first, second] = [new RunRoom(room), new RunRoom(room)];
		const claims = [first.claim(), first.claim()];
		await claims[0].take(60, never);
		await claims[1].take(10, never);
		await second.claim().take(30, never);
		claims[1].end(0);
		expect(await isOpen(claims[0].take(30, never))).toBe(false);
	});

	test('has a bound for one run, whatever is free', async () => {
		const room = new Room(1000, 100);
		const run = new RunRoom(room);
		const first = run.claim();
		await first.take(60, never);
		first.end(1);
		const second = run.claim();
		await second.take(40, never);
		await expect(second.take(1, never)).rejects.toThrow(TooMuchHeld);
		second.end(0);
		expect(room.taken).toBe(60);
		await run.claim().take(40, never);
	});

	test('is no longer waited for when the run is stopped', async () => {
		const room = new Room(100, 100);
		const [first, second] = [new RunRoom(room), new RunRoom(room)];
		await first.claim().take(100, never);
		const stop = new AbortController();
		const claim = second.claim();
		const waiting = claim.take(1, stop.signal);
		stop.abort();
		await expect(waiting).rejects.toThrow(NoRoom);
		claim.end(0);
		second.close();
		await expect(claim.take(1, stop.signal)).rejects.toThrow(NoRoom);
		expect([room.taken, room.runs.size]).toEqual([100, 1]);
		expect(await isOpen(room.change(stop.signal))).toBe(false);
	});

	test('is 128 MB in a process, all of which one run may hold', () => {
		const { room } = new RunRoom();
		expect([room.bytes, room.bytesOfRun]).toEqual([2 ** 27, 2 ** 27]);
		expect(new RunRoom().room).toBe(room);
	});
});
