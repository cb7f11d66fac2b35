/** Keys of the gateway: made of chance, kept as hashes, and compared in a time that tells nothing. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What every key begins with, so that one in the wrong place is noticed and never sent on. */
const keyPrefix = 'palimpsest-key-';

/** 256 bits of chance. That is why one SHA-256 is enough: a slow hash is for what people can remember. */
export const makeKey = (): string => `${keyPrefix}${randomBytes(32).toString('base64url')}`;

/** As it stands in a configuration. */
export const hashOfKey = (key: string): string => `sha256:${sha256(key).toString('hex')}`;

export const looksLikeKey = (text: string): boolean => text.startsWith(keyPrefix);

/** Who may use the gateway. */
export interface KeyRing {
  /** False where no key is asked for. */
  readonly isLocked: boolean;
  /** The name that a key belongs to. */
  readonly nameOf: (key: string) => string | undefined;
}

/** `hashes` by the name of their owner, and one more key whose owner has no name. */
export function openKeyRing(hashes: Readonly<Record<string, string>>, token: string | undefined): KeyRing {
  const known = Object.entries(hashes).map(
    ([name, hash]) => [name, Buffer.from(hash.slice('sha256:'.length), 'hex')] as const,
  );
  const all = token === undefined ? known : [...known, ['token', sha256(token)] as const];
  return {
    isLocked: all.length > 0,
    nameOf: (key) => {
      const hash = sha256(key);
      // Every one is compared, so that the time does not tell which.
      const found = all.filter(([, other]) => other.length === hash.length && timingSafeEqual(other, hash));
      return found[0]?.[0];
    },
  };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
