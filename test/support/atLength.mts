import { test } from '@jest/globals';

/** Whether this is `npm test`, which leaves what takes long to `npm run test:atLength`. */
export const isBrief = process.env.BRIEFLY !== undefined;

/** A test that takes long, in a file that is not called so because others in it do not. */
export const atLength = isBrief ? test.skip : test;

/** How many cases a test draws at random: in `npm run test:atLength` more. */
export const runs = Number(process.env.RUNS ?? 30);
