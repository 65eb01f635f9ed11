/** What a hint of the node tells of the list. */
export type Said = 'complete after changes' | 'may be incomplete' | 'changed' | 'nothing of it';

const kinds: Array<[RegExp, Said]> = [
	[/may be missing/i, 'may be incomplete'],
	[/every contact that was there all the time is in the output/i, 'complete after changes'],
	[/came, went|changed/i, 'changed'],
	[/^The run waited |^Requests were retried|^The service throttled/, 'nothing of it'],
];

/** @returns undefined for words of no known kind */
export function saidBy(hint: string): Said | undefined {
	return kinds.find(([words]) => words.test(hint))?.[1];
}
