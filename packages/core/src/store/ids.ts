/** The ids of the store, and its times. */

/**
 * Names a message in every store: the first 16 hex digits of the SHA-256 of its content (role, name, time, model, ids and
 * parts), so that the same message has the same id wherever it is kept.
 */
export type MessageId = string;

/** Names a session: a UUID of version 7, so that ids sort by the time at which they were given. */
export type SessionId = string;

/** Milliseconds since 1970 in UTC. */
export type Instant = number;
