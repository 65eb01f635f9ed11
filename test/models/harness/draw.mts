import fc from 'fast-check';

/** One of these values, each as often as its weight says. */
export const weighted = <T,>(...choices: Array<[weight: number, value: T]>) =>
	fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

/** What is drawn once in so many times, and undefined otherwise. */
export const maybe = <T,>(arbitrary: fc.Arbitrary<T>, oneIn: number) =>
	fc.oneof(
		{ weight: oneIn - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: arbitrary as fc.Arbitrary<T | undefined> },
	);

/** What an arbitrary draws. */
export type Drawn<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
