/** Keys of the gateway: made of chance, kept as hashes, and compared in a time that tells nothing. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What every key begins with, so that one in the wrong place is noticed and never sent on. */
const keyPrefix = 'palimpsest-key-';

/** 256 bits of chance. That is why one SHA-256 is enough: a slow hash is for what people can remember. */
export const makeKey = (): string => `${keyPrefix}${randomBytes(32).toString('base64url')}`;

/** As it stands in a configuration. */
export const hashOfKey = (key: string): string => `sha256:${sha256(key).toString('hex')}`;

/** The least that cannot be guessed, and what every generator of passwords gives. */
export const shortestKey = 20;

/** Who may use the gateway. */
export interface KeyRing {
  /** False where no key is asked for. */
  readonly isLocked: boolean;
  /** The name that a key belongs to. */
  readonly nameOf: (key: string) => string | undefined;
  /** True for a text that has a key in it: one that was made here, whosever it is, or a known one as a word of its own. */
  readonly isIn: (text: string) => boolean;
}

/** `hashes` by the name of their owner, and one more key whose owner has no name. */
export function openKeyRing(hashes: Readonly<Record<string, string>>, token: string | undefined): KeyRing {
  const known = Object.entries(hashes).map(
    ([name, hash]) => [name, Buffer.from(hash.slice('sha256:'.length), 'hex')] as const,
  );
  const all = token === undefined ? known : [...known, ['token', sha256(token)] as const];
  const nameOf = (key: string): string | undefined => {
    const hash = sha256(key);
    // Every one is compared, so that the time does not tell which.
    const found = all.filter(([, other]) => other.length === hash.length && timingSafeEqual(other, hash));
    return found[0]?.[0];
  };
  return {
    isLocked: all.length > 0,
    nameOf,
    isIn: (text) =>
      text.includes(keyPrefix) || (all.length > 0 && wordsOf(text).some((word) => nameOf(word) !== undefined)),
  };
}

/** What may be a key: all of it, what stands between spaces, the values of a query, and what stands between marks. */
function wordsOf(text: string): readonly string[] {
  const values = text.split(/[?&]/).map((one) => one.slice(one.indexOf('=') + 1));
  const words = [text.trim(), ...text.split(/\s+/), ...values, ...text.split(/[\s,;&?="']+/)];
  return [...new Set(words)].filter(({ length }) => length >= shortestKey);
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
