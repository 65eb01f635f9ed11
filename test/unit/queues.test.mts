import { expect, test } from '@jest/globals';
import { Queues } from '../../nodes/CrmWorkspace/transport/queues';

function queuesOf(...waiting: Array<[execution: string, waiter: string]>): Queues<string> {
	const queues = new Queues<string>();
	for (const [execution, waiter] of waiting) queues.push(execution, waiter);
	return queues;
}

/** Who has their turn, one after the other. */
function turns(queues: Queues<string>, slots: Record<string, number> = {}): string[] {
	const order: string[] = [];
	while (queues.length > 0) {
		const { execution, waiter } = queues.next((one) => slots[one] ?? 0);
		order.push(`${execution}${waiter}`);
	}
	return order;
}

test('executions with equally many slots take turns', () => {
	const queues = queuesOf(['a', '1'], ['a', '2'], ['a', '3'], ['b', '1'], ['b', '2'], ['c', '1']);
	expect(queues.length).toBe(6);
	expect(turns(queues)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('the one with the fewest slots goes first', () => {
	const queues = queuesOf(['a', '1'], ['b', '1'], ['c', '1'], ['b', '2']);
	expect(turns(queues, { a: 2, b: 1, c: 3 })).toEqual(['b1', 'b2', 'a1', 'c1']);
});

test('one that waits no longer has no turn, and neither does an execution without any', () => {
	const queues = queuesOf(['a', '1'], ['b', '1'], ['a', '2']);
	queues.remove('a', '1');
	queues.remove('b', '1');
	expect(queues.length).toBe(1);
	expect(turns(queues, { a: 5 })).toEqual(['a2']);
	queues.push('b', '2');
	expect(turns(queues)).toEqual(['b2']);
});
