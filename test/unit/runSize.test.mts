import { expect, test } from '@jest/globals';
import type { IExecuteFunctions } from 'n8n-workflow';
import {
	RunSize,
	maxRunCharacters,
} from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/runSize';

const context = { getNode: () => ({ name: 'CRM' }) } as unknown as IExecuteFunctions;
const length = 1_000_000;
const to = 'ada.lovelace@example.com';

/** What becomes of so many messages, each with a text that an expression gives anew. */
function holding(count: number, textOf: (number: number) => object): () => void {
	const held = new RunSize();
	for (let number = 0; number < count; number++) held.add({ to, ...textOf(number) });
	return () => held.refuseTooMuch(context, 0);
}

test('a text that all messages have counts once', () => {
	const same = () => ({ html: Buffer.alloc(length, 'x').toString() });
	expect(holding(maxRunCharacters / length + 1, same)).not.toThrow();
});

test.each([
	['HTML', (number: number) => ({ html: String(number).padEnd(length) })],
	['a text', (number: number) => ({ text: String(number).padEnd(length) })],
	['a variable', (number: number) => ({ variables: { name: String(number).padEnd(length) } })],
])('%s that differs counts for each message', (_, textOf) => {
	expect(holding(maxRunCharacters / length - 1, textOf)).not.toThrow();
	expect(holding(maxRunCharacters / length + 1, textOf)).toThrow('251 messages have 25');
});
