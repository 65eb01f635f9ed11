import { realClock } from './clock';

const megabyte = 1024 * 1024;

/** Thrown when a run would hold more than one run may. */
export class TooMuchHeld extends Error {}

/** Thrown when the wait for room was given up. */
export class NoRoom extends Error {}

/**
 * The memory that a process may use for large answers: while they are read and parsed, and for what
 * is kept of them until their run ends. When there is no room left, reading a large answer waits.
 * The run that holds room for longest may always go on, one answer after the other, so that nobody
 * waits for ever. A limit for each run bounds how much it can take.
 */
export class Room {
	taken = 0;

	/** The runs that hold something, in the order in which they began to. */
	readonly runs = new Set<RunRoom>();

	private readonly waiting = new Set<() => void>();

	/**
	 * @param bytes what all runs hold at once
	 * @param bytesOfRun what one run holds at once
	 */
	constructor(
		readonly bytes: number,
		readonly bytesOfRun: number,
	) {}

	/** Resolves when something has changed, or as soon as `cancel` is aborted. */
	async change(cancel: AbortSignal): Promise<void> {
		if (cancel.aborted) return;
		await new Promise<void>((resolve) => {
			const wake = () => {
				cancel.removeEventListener('abort', wake);
				this.waiting.delete(wake);
				resolve();
			};
			cancel.addEventListener('abort', wake, { once: true });
			this.waiting.add(wake);
		});
	}

	changed(): void {
		for (const wake of [...this.waiting]) wake();
	}
}

/** What one run holds of a room. To be closed when it ends. */
export class RunRoom {
	kept = 0;

	/** Its answers that are being read, the first of them first. */
	readonly claims = new Set<Claim>();

	private isClosed = false;

	constructor(readonly room: Room = ofProcess) {}

	/** The room for one answer. To be ended when the answer has been read and parsed. */
	claim(): Claim {
		return new Claim(this);
	}

	/** Gives back what was kept. */
	close(): void {
		this.isClosed = true;
		this.keep(0);
	}

	keep(bytes: number): void {
		const { room } = this;
		const kept = this.isClosed ? 0 : this.kept + bytes;
		room.taken += kept - this.kept;
		this.kept = kept;
		if (kept === 0 && this.claims.size === 0) room.runs.delete(this);
		room.changed();
	}
}

/** What one answer takes of the room. */
export class Claim {
	bytes = 0;

	private waitedBefore = 0;

	private waitingSince?: number;

	constructor(private readonly run: RunRoom) {}

	/** How long it has waited for room, in ms. */
	get waited(): number {
		const { waitedBefore, waitingSince } = this;
		return waitedBefore + (waitingSince === undefined ? 0 : realClock.now() - waitingSince);
	}

	/**
	 * Takes room for so many more bytes, when there is some.
	 * @throws TooMuchHeld, or NoRoom when `cancel` is aborted first
	 */
	async take(bytes: number, cancel: AbortSignal): Promise<void> {
		const { run } = this;
		const { room } = run;
		if (cancel.aborted) throw new NoRoom();
		room.runs.add(run);
		run.claims.add(this);
		this.waitingSince = realClock.now();
		for (;;) {
			if (run.kept + this.bytes + bytes > room.bytesOfRun) throw new TooMuchHeld();
			if (room.taken + bytes <= room.bytes || this.isFirst) break;
			await room.change(cancel);
			if (cancel.aborted) throw new NoRoom();
		}
		this.waitedBefore = this.waited;
		this.waitingSince = undefined;
		this.bytes += bytes;
		room.taken += bytes;
	}

	/** @param kept which part of the answer is kept until the run ends, from 0 to 1 */
	end(kept: number): void {
		const { run, bytes } = this;
		if (!run.claims.delete(this)) return;
		run.room.taken -= bytes;
		run.keep(Math.ceil(bytes * kept));
	}

	private get isFirst(): boolean {
		const [run] = this.run.room.runs;
		const [claim] = run.claims;
		return claim === this;
	}
}

/** The room of this process. A parsed answer takes several times the memory of its bytes. */
const ofProcess = new Room(128 * megabyte, 128 * megabyte);
