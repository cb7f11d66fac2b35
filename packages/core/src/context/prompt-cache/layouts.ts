/** The names of the ways of placing breakpoints, for those who only choose one. */

/**
 * How breakpoints are placed.
 * `system_and_3`: the system prompt and the last three messages; without a system prompt the last four.
 * `turns`: the system prompt, the message that opened the turn, the end of the request before this one, and the end of
 * this one: the places that a later request will share, also after a step with many results or a turn asked anew.
 */
export type CacheLayout = (typeof cacheLayouts)[number];

/** Every way of placing breakpoints. */
export const cacheLayouts = ['system_and_3', 'turns'] as const;
