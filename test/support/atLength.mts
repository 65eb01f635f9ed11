/** Whether this is `npm test`, which leaves what takes long to `npm run test:atLength`. */
export const isBrief = process.env.BRIEFLY !== undefined;
