import { expect, test } from '@jest/globals';
import { Fifo } from '../../nodes/CrmWorkspace/transport/fifo';

function fifoOf(...entries: string[]): Fifo<string> {
	const fifo = new Fifo<string>();
	for (const entry of entries) fifo.push(entry);
	return fifo;
}

test('what came first leaves first, whatever comes in between', () => {
	const fifo = fifoOf('a', 'b', 'c', 'd', 'e');
	const left: Array<string | undefined> = [];
	for (let count = 0; count < 7; count++) {
		left.push(fifo.shift());
		if (count === 2) fifo.push('f');
	}
	expect(left).toEqual(['a', 'b', 'c', 'd', 'e', 'f', undefined]);
	expect(fifo.length).toBe(0);
	fifo.push('g');
	expect([fifo.length, fifo.shift()]).toEqual([1, 'g']);
});

test('places are counted from what is first now', () => {
	const fifo = fifoOf('a', 'b', 'c', 'd');
	fifo.shift();
	expect([fifo.at(0), fifo.at(2), fifo.at(3), fifo.at(-2)]).toEqual([
		'b',
		'd',
		undefined,
		undefined,
	]);
	expect(fifo.toArray()).toEqual(['b', 'c', 'd']);
	expect(fifo.length).toBe(3);
});

test('one that waits no longer is taken out of the middle', () => {
	const fifo = fifoOf('a', 'b', 'c', 'd');
	fifo.shift();
	fifo.remove('c');
	fifo.remove('a');
	expect(fifo.toArray()).toEqual(['b', 'd']);
	expect([fifo.shift(), fifo.shift(), fifo.length]).toEqual(['b', 'd', 0]);
});

test('what has left is forgotten', () => {
	const fifo = fifoOf('a', 'b', 'c');
	fifo.shift();
	fifo.shift();
	expect((fifo as unknown as { entries: string[] }).entries).toEqual(['c']);
});
