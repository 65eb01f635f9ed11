import { expect } from '@jest/globals';

/** The most sentences that a person reads of an error below its title. */
const most = 4;

const sentenceEnd = /(?<!e\.g)[.!?](?=\s|$)/g;

/**
 * Holds every error of the node: its title has no path, and its description four sentences at most,
 * of which the service's words are one.
 */
export function expectPlainWords(error: { message: string; description?: string | null }): void {
	expect(error.message).not.toMatch(/\b(?:GET|POST|PUT) \//);
	const ownWords = (error.description ?? '')
		.replace(/“[^”]*”|\{\{.*?\}\}/g, '')
		.replace(/([Tt]he service (?:asks .*? and )?says: ).*?(\.?)(?= \d+ of \d+ items|$)/, '$1$2');
	const sentences = ownWords.match(sentenceEnd) ?? [];
	expect(sentences.length > most ? ownWords : '').toBe('');
}
