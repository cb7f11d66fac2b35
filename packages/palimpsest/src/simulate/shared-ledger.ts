/** Reads every message once for all who follow the same conversation: one ledger, and for whoever leaves it one of his own. */
import type { Message } from '@palimpsest/core';
import { createLedger, type Ledger, type LedgerOptions } from '@palimpsest/core/engine';

/** A message that was read, and how the ledger stood behind it. */
interface Entry extends Pick<Ledger, 'size' | 'inheritedAt'> {
  readonly message: Message;
  readonly following: Message | undefined;
  readonly ref: ReturnType<Ledger['add']>;
}

/** Makes ledgers that are one for as long as the same messages are added to them, and as many of them. */
export function sharedLedger(options: LedgerOptions): () => Ledger {
  const shared = createLedger(options);
  const entries: Entry[] = [];
  const read = (message: Message, following: Message | undefined): Entry => {
    const ref = shared.add(message, following);
    const entry = { message, following, ref, size: shared.size, inheritedAt: shared.inheritedAt };
    entries.push(entry);
    return entry;
  };
  return () => {
    let own: Ledger | undefined;
    let added = 0;
    const leave = (): Ledger => {
      own = createLedger(options);
      for (const { message, following } of entries.slice(0, added)) own.add(message, following);
      return own;
    };
    // What others have read further says more than this one knows.
    const current = (): Ledger => own ?? (added === entries.length ? shared : leave());
    return {
      get size() {
        return own ? own.size : (entries[added - 1]?.size ?? 0);
      },
      get inheritedAt() {
        return own ? own.inheritedAt : (entries[added - 1]?.inheritedAt ?? -1);
      },
      add(message, following) {
        if (own) return own.add(message, following);
        const entry = entries[added] ?? read(message, following);
        if (entry.message !== message) return leave().add(message, following);
        added++;
        return entry.ref;
      },
      facts: () => current().facts(),
      handoff: (handoff) => current().handoff(handoff),
    };
  };
}
