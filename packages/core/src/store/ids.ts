/** The ids of the store, and its times. New ids of sessions are UUIDs of version 7 (RFC 9562). */

/**
 * Names a message in every store: the first 16 hex digits of the SHA-256 of its content (role, name, time, model, ids and
 * parts), so that the same message has the same id wherever it is kept.
 */
export type MessageId = string;

/** Names a session: a UUID of version 7, so that ids sort by the time at which they were given. */
export type SessionId = string;

/** Milliseconds since 1970 in UTC. */
export type Instant = number;

/** Gives ids that rise even within one millisecond and when the clock steps back. */
export function createSessionIds(clock: () => Instant): () => SessionId {
  let last = 0;
  let count = 0;
  return () => {
    const now = Math.max(last, Math.floor(clock()));
    // 12 bits of counter; a millisecond that has used them up borrows the next one.
    count = now === last ? count + 1 : 0;
    last = count > 0xfff ? now + 1 : now;
    count &= 0xfff;
    const random = crypto.getRandomValues(new Uint8Array(8));
    random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
    const time = last.toString(16).padStart(12, '0');
    const tail = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const counter = count.toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}
