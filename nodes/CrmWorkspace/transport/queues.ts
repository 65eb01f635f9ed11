import { Fifo } from './fifo';

/** Those who wait, in a queue for each execution. */
export class Queues<Waiter> {
	private readonly queues = new Map<string, Fifo<Waiter>>();

	private waiting = 0;

	/** How many wait. */
	get length(): number {
		return this.waiting;
	}

	push(execution: string, waiter: Waiter): void {
		const queue = this.queues.get(execution) ?? new Fifo<Waiter>();
		queue.push(waiter);
		this.queues.set(execution, queue);
		this.waiting++;
	}

	/** One waits no longer. */
	remove(execution: string, waiter: Waiter): void {
		const queue = this.queues.get(execution);
		queue?.remove(waiter);
		if (queue?.length === 0) this.queues.delete(execution);
		this.waiting--;
	}

	/**
	 * Takes out who is next, while anybody waits: of the execution with the fewest slots, and of
	 * several such of the one that was served longest ago.
	 */
	next(slotsOf: (execution: string) => number): { execution: string; waiter: Waiter } {
		const [first, ...others] = this.queues.keys();
		const execution = others.reduce(
			(least, one) => (slotsOf(one) < slotsOf(least) ? one : least),
			first,
		);
		const queue = this.queues.get(execution)!;
		const waiter = queue.shift()!;
		this.queues.delete(execution);
		if (queue.length > 0) this.queues.set(execution, queue);
		this.waiting--;
		return { execution, waiter };
	}
}
