/** How messages are named. */

/**
 * A message's number in its conversation as people and models see it: `m` and its position from 1, such as `m42`.
 * It is what a stub or a summary line names, and what `expand` takes.
 */
export type Ref = `m${number}`;
