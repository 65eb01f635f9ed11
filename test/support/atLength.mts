/** Whether to leave out what takes long, as `npm test` and the planted mistakes do. */
export const isBrief = process.env.BRIEFLY !== undefined;
