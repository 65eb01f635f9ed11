import type { Case } from './case.mts';

/** What is measured, by its name on the command line, in the order of the document. */
export const cases: Record<string, Case> = {};
